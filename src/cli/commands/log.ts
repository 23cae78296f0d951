import type { Action } from '../../contract/action.ts';
import { type Command, CommandError, textOf } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { machineNames } from '../machine-names.ts';
import { answered, requesterOf } from '../requester.ts';
import { printableLine, styled } from '../terminal.ts';

const MOST = 100;

export const log: Command = {
  name: 'log',
  summary: 'list past actions of your user id, the latest first',
  options: [
    { flags: '-n, --number <count>', description: 'how many, 1 to 100; 20 without this' },
    { flags: '--status <status>', description: 'only those with this status, such as denied' },
  ],
  isRequester: true,
  examples: ['handrail log', 'handrail log -n 100 --status failed --json'],
  async run(invocation) {
    const { surroundings, isJson } = invocation;
    const count = Number(textOf(invocation, 'number') ?? 20);
    if (!Number.isInteger(count) || count < 1 || count > MOST)
      throw new CommandError(`--number should be 1 to ${MOST}.`, EXIT.usage);
    const status = textOf(invocation, 'status');
    const query = new URLSearchParams({ limit: String(count), ...(status === undefined ? {} : { status }) });
    const requester = await requesterOf(invocation);
    const { client, userId } = requester;
    const { items } = await answered(client.actions(query.toString()));
    const style = styled(surroundings.output, surroundings.environment);
    const nameOf = await machineNames(requester);
    const lines = items.map((action) => lineOf(action, nameOf(action.targetDeviceId), style));
    const text = isJson ? JSON.stringify(items) : lines.join('\n') || `There are no actions of ${userId} yet.`;
    surroundings.output.write(`${text}\n`);
    return EXIT.done;
  },
};

function lineOf(
  { createdAt, actionType, status, details, actionId }: Action,
  machine: string,
  style: ReturnType<typeof styled>,
): string {
  const time = new Date(createdAt).toLocaleString('sv-SE');
  const coloured = status === 'success' ? style('green', status) : status;
  return `${style('dim', time)}  ${machine}${actionType}  ${coloured}  ${printableLine(details)}  ${style('dim', actionId)}`;
}
