import type { OwnAccess } from '../../contract/access.ts';
import { type Command, EXIT } from '../command.ts';
import { answered, requesterOf } from '../requester.ts';
import { printableLine } from '../terminal.ts';

export const access: Command = {
  name: 'access',
  summary: 'show what your user id may do now without a question, and for how long',
  options: [],
  isRequester: true,
  examples: ['handrail access', 'handrail access --as my-agent --json'],
  async run(invocation) {
    const { surroundings, isJson } = invocation;
    const { client, userId } = await requesterOf(invocation);
    const own = await answered(client.access());
    const text = isJson ? JSON.stringify(own) : linesOf(own).map(printableLine).join('\n') || nothing(userId);
    surroundings.output.write(`${text}\n`);
    return EXIT.done;
  },
};

function linesOf({ access: apps, grants, folders }: OwnAccess): string[] {
  const terms = [...apps, ...grants].map(({ allows, secondsLeft }) => `${allows} ${leftWords(secondsLeft)} left.`);
  return [
    ...terms,
    ...folders.map(({ path, access: use }) => `${use === 'write' ? 'Read and write' : 'Read'} in ${path}.`),
  ];
}

function leftWords(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  if (minutes < 1) return `${seconds} s`;
  if (minutes < 120) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} days`;
}

function nothing(userId: string): string {
  return `The person has allowed nothing for a time to ${userId}.`;
}
