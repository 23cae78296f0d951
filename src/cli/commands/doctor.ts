import type { PersonVerb } from '../../contract/person-verb.ts';
import type { Finding } from '../../doctor/finding.ts';
import { type Command, CommandError, EXIT } from '../command.ts';
import { settingsOf, tell } from '../running.ts';
import type { Surroundings } from '../surroundings.ts';
import { printable, styled } from '../terminal.ts';

const MARKS = { good: ['ok', 'green'], note: ['note', 'yellow'], problem: ['PROBLEM', 'red'] } as const;

export const doctor: Command = {
  name: 'doctor',
  summary:
    'check display, permissions, accessibility, programs, port, sandbox, data directory and your other machines; exit code 1 on a problem',
  examples: ['handrail doctor', 'handrail doctor --json'],
  async run({ surroundings, isJson }) {
    const { examine } = await import('../../doctor/examine.ts');
    const { platform, environment, output } = surroundings;
    const findings = await examine({
      platform,
      environment,
      settings: settingsOf(surroundings),
      asRoot: process.geteuid?.() === 0,
      permissions: async () => (await told(surroundings, 'status'))?.permissions ?? undefined,
      machines: async () => (await told(surroundings, 'machines'))?.items,
    });
    const lines = findings.map((finding) => lineOf(finding, surroundings));
    output.write(`${isJson ? JSON.stringify(findings) : lines.join('\n')}\n`);
    return findings.some(({ state }) => state === 'problem') ? EXIT.other : EXIT.done;
  },
};

function lineOf({ check, state, message, remedy }: Finding, { output, environment }: Surroundings): string {
  const style = styled(output, environment);
  const [word, colour] = MARKS[state];
  const line = `${style(colour, word.padEnd(8))}${check.padEnd(15)}${printable(message)}`;
  return remedy === undefined ? line : `${line}\n${' '.repeat(23)}${style('bold', '→')} ${printable(remedy)}`;
}

async function told(surroundings: Surroundings, verb: PersonVerb) {
  try {
    return JSON.parse(await tell(surroundings, verb));
  } catch (error) {
    if (error instanceof CommandError) return undefined;
    throw error;
  }
}
