import type { PolicyDiff, PolicyQuestion } from '../../contract/policy.ts';
import { type Command, CommandError, EXIT, type ExitCode, type Invocation, textOf } from '../command.ts';
import type { ReadPolicy } from '../policy-file.ts';
import { tell } from '../running.ts';
import { printableLine, styled } from '../terminal.ts';

/** A month of a busy computer takes seconds. */
const DIFF_WITHIN_MS = 120_000;
const USUAL_DAYS = 30;

const FILE = { form: '<file>', description: 'profiles as JSON with comments, as `handrail policy export` prints them' };

export const policyExport: Command = {
  name: 'policy export',
  summary: 'print your profiles and the built-in ones in force as a file',
  examples: ['handrail policy export > policy.jsonc'],
  async run({ surroundings, isJson }) {
    const told = await tell(surroundings, 'policy');
    const { policyText } = await import('../policy-file.ts');
    surroundings.output.write(isJson ? `${told}\n` : policyText(JSON.parse(told)));
    return EXIT.done;
  },
};

export const policyCheck: Command = {
  name: 'policy check',
  summary: 'check a file of profiles, with line numbers; needs no daemon; exit code 1 on a fault',
  argument: FILE,
  examples: ['handrail policy check policy.jsonc'],
  async run(invocation) {
    const read = await readFrom(invocation);
    if ('faults' in read) return toldFaults(read, invocation);
    const { profiles, examples = [] } = read.policy;
    const line = `Good: ${counted(profiles.length, 'profile')}, ${counted(examples.length, 'example')}.`;
    invocation.surroundings.output.write(`${invocation.isJson ? '{"faults":[]}' : line}\n`);
    return EXIT.done;
  },
};

export const policyTest: Command = {
  name: 'policy test',
  summary: 'judge the examples of a file by its profiles; needs no daemon; exit code 1 when one gets another verdict',
  argument: FILE,
  examples: ['handrail policy test policy.jsonc'],
  notes: ['Files count as outside of the allowed folders, and the device as one that has every capability.'],
  async run(invocation) {
    const { isJson, surroundings } = invocation;
    const read = await readFrom(invocation);
    if ('faults' in read) return toldFaults(read, invocation);
    const { testExamples } = await import('../../domain/policy.ts');
    const { examples = [] } = read.policy;
    const failed = testExamples(read.policy).map(({ index, profile, expected, judgement }) => {
      return { line: read.lineOf(`/examples/${index}`), profile, expected, ...judgement };
    });
    const lines = failed.map(
      ({ line, profile, expected, verdict, rule }) =>
        `line ${line}: under ${profile} expected ${expected}, got ${verdict}. ${printableLine(rule)}`,
    );
    const passed = examples.length - new Set(failed.map(({ line }) => line)).size;
    const end = `${passed} of ${counted(examples.length, 'example')} as expected.`;
    const text = isJson ? JSON.stringify({ examples: examples.length, failed }) : [...lines, end].join('\n');
    surroundings.output.write(`${text}\n`);
    return failed.length === 0 ? EXIT.done : EXIT.other;
  },
};

export const policyDiff: Command = {
  name: 'policy diff',
  summary: 'show what the past days would have been under the profiles of a file: first what would be newly allowed',
  argument: FILE,
  options: [
    { flags: '--profile <name>', description: 'only this profile of the file, for everybody' },
    { flags: '--days <n>', description: 'how many days, 1 to 30; 30 without this' },
  ],
  examples: ['handrail policy diff policy.jsonc', 'handrail policy diff policy.jsonc --profile office --days 7'],
  notes: [
    'A file of one profile is compared for everybody. Of several, each requester gets the one that has the name of theirs.',
    'Grants and your answers are not counted.',
  ],
  async run(invocation) {
    const { isJson, surroundings } = invocation;
    const read = await readFrom(invocation);
    if ('faults' in read) return toldFaults(read, invocation);
    const told = await tell(surroundings, 'policy-diff', {
      policy: questionOf(read, invocation),
      withinMs: DIFF_WITHIN_MS,
    });
    const text = isJson ? told : linesOf(JSON.parse(told), invocation).join('\n');
    surroundings.output.write(`${text}\n`);
    return EXIT.done;
  },
};

async function readFrom({ words: [file = ''], surroundings }: Invocation): Promise<ReadPolicy> {
  // Loaded only here: the rules of every action type are a large part of the program.
  const { readPolicy } = await import('../policy-file.ts');
  return readPolicy(surroundings.folder, file);
}

function toldFaults(
  { faults }: Extract<ReadPolicy, { faults: unknown }>,
  { surroundings, isJson }: Invocation,
): ExitCode {
  const lines = faults.map(({ line, message }) => `line ${line}: ${printableLine(message)}`);
  surroundings.output.write(`${isJson ? JSON.stringify({ faults }) : lines.join('\n')}\n`);
  return EXIT.other;
}

function questionOf({ policy }: Extract<ReadPolicy, { policy: unknown }>, invocation: Invocation): PolicyQuestion {
  const name = textOf(invocation, 'profile');
  const profiles = policy.profiles.filter((profile) => name === undefined || profile.name === name);
  if (profiles.length === 0) {
    const names = policy.profiles.map((profile) => profile.name).join(', ');
    throw new CommandError(`The file has no profile ${name}. It has ${names}.`, EXIT.usage);
  }
  const given = textOf(invocation, 'days') ?? String(USUAL_DAYS);
  if (!/^([1-9]|[12]\d|30)$/.test(given)) throw new CommandError('--days takes a number from 1 to 30.', EXIT.usage);
  return { profiles, days: Number(given) };
}

const NOW = { allow: 'runs now', ask: 'asks now', block: 'is blocked now' } as const;

function linesOf(diff: PolicyDiff, { surroundings }: Invocation): string[] {
  const style = styled(surroundings.output, surroundings.environment);
  const { days, judged, withoutContents, now, would } = diff;
  const changes = [
    ['Newly allowed', 'red', diff.newlyAllowed],
    ['Newly asked', 'yellow', diff.newlyAsked],
    ['Newly blocked', 'green', diff.newlyBlocked],
  ] as const;
  return [
    `${counted(judged, 'action')} of the last ${counted(days, 'day')}: ${would.allow} would run, ${would.ask} ask, ${would.block} be blocked (now ${now.allow}, ${now.ask} and ${now.block}).`,
    ...(withoutContents === 0 ? [] : [`${withoutContents} of them by type, risk and time only: ${NOT_KEPT}`]),
    ...changes.flatMap(([words, colour, { count, examples }]) => [
      `${style(count === 0 ? 'dim' : colour, words)}: ${count}`,
      ...examples.map((each) => `  ${exampleLine(each)}`),
    ]),
  ];
}

const NOT_KEPT = 'their parameters and targets are no longer kept, so no rule on apps or paths applied to them.';

function exampleLine({
  count,
  userId,
  actionType,
  from,
  rule,
  sentence,
}: PolicyDiff['newlyAsked']['examples'][number]) {
  const what = sentence === undefined ? actionType : `${actionType}: ${sentence}`;
  return printableLine(`${count} × ${userId}  ${what} (${NOW[from]}). ${rule}`);
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
