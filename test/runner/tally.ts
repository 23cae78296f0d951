/** Names, in the environment of a test run, the file that its tally is to be written to. */
export const TALLY_FILE_VARIABLE = 'HANDRAIL_TALLY_FILE';

/** What became of the tests of one step. */
export type Tally = {
  passed: number;
  /** Full names of what failed, a file that cannot be loaded and a failed hook among them. */
  failed: string[];
  /** The start of the message of each test that failed, also the first time only, by its full name. */
  reasons?: Record<string, string>;
  skipped: { name: string; reason: string }[];
  /** Of each file that passed only when it ran again, what failed first. */
  repeated: string[];
};

/** What became of the tests of each file of a run, and the errors outside of any test. */
export type Counted = { files: Record<string, Tally>; outside: string[] };

/** How many files of a whole run may pass only when they run again. More of them are a fault, not bad luck. */
const MOST_REPEATED = 2;

/** Characters and lines of an error's message that the report shows. */
const LONGEST_REASON = 600;
const MOST_LINES = 8;

/** Tests that may skip themselves for any reason: a Mac without a permission, for instance, cannot run all of them. */
const MAY_SKIP = 'test/macos/';

/** A step that is one test by itself, such as the linter. */
export function tallyOfStep(name: string, exitCode: number): Tally {
  return exitCode === 0 ? { ...NOTHING, passed: 1 } : { ...NOTHING, failed: [name] };
}

/**
 * A step that counts its tests; it has failed when it says so, even if none of its tests has. A skipped test has failed, unless
 * its reason is one of `excuses`, which hold on this machine.
 */
export function tallyOfTests(
  { name, exitCode, excuses = [] }: { name: string; exitCode: number; excuses?: readonly string[] },
  counted: Tally | undefined,
): Tally {
  if (counted === undefined) return { ...NOTHING, failed: [`${name}: did not come to its end`] };
  const mayBeSkipped = (test: { name: string; reason: string }) =>
    test.name.startsWith(MAY_SKIP) || excuses.includes(test.reason);
  const skipped = counted.skipped.filter((test) => !mayBeSkipped(test));
  const failed = [...counted.failed, ...skipped.map((test) => `${test.name} (skipped: ${test.reason})`)];
  const unexplained = exitCode !== 0 && failed.length === 0;
  return {
    ...counted,
    failed: unexplained ? [`${name}: ended with exit code ${exitCode}`] : failed,
    skipped: counted.skipped.filter(mayBeSkipped),
  };
}

const NOTHING: Tally = { passed: 0, failed: [], skipped: [], repeated: [] };

/** The files that failed, if they are so few that it may be bad luck. */
export function filesToRepeat({ files, outside }: Counted): string[] {
  const failed = Object.keys(files).filter((file) => (files[file]?.failed.length ?? 0) > 0);
  return outside.length > 0 || failed.length > MOST_REPEATED ? [] : failed;
}

/** A run, some files of which ran again: the second time counts for them. */
export function withRepetition(first: Counted, again: Counted): Counted {
  const repeated = Object.entries(again.files).map(([file, tally]): [string, Tally] => {
    const before = first.files[file];
    const isMended = tally.failed.length === 0;
    return [
      file,
      {
        ...tally,
        repeated: isMended ? (before?.failed ?? []).slice(0, 1) : [],
        reasons: { ...before?.reasons, ...tally.reasons },
      },
    ];
  });
  return { files: { ...first.files, ...Object.fromEntries(repeated) }, outside: [...first.outside, ...again.outside] };
}

export function tallyOfCounted({ files, outside }: Counted): Tally {
  const total = sumOf(Object.values(files));
  return { ...total, failed: [...total.failed, ...outside] };
}

/** The start of an error's message, its lines in one: a property names its counterexample and its error after the first. */
export function shortReason(message: string): string {
  return message
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .slice(0, MOST_LINES)
    .join(' | ')
    .slice(0, LONGEST_REASON);
}

export function totalOf(tallies: readonly Tally[]): Tally {
  const total = sumOf(tallies);
  const { length } = total.repeated;
  if (length <= MOST_REPEATED) return total;
  return {
    ...total,
    failed: [...total.failed, `${length} files passed only when they ran again; ${MOST_REPEATED} may`],
  };
}

function sumOf(tallies: readonly Tally[]): Tally {
  return {
    passed: tallies.reduce((sum, tally) => sum + tally.passed, 0),
    failed: tallies.flatMap((tally) => tally.failed),
    reasons: Object.assign({}, ...tallies.map((tally) => tally.reasons)),
    skipped: tallies.flatMap((tally) => tally.skipped),
    repeated: tallies.flatMap((tally) => tally.repeated),
  };
}

/** Names the tests that were not run, repeated or failed and why they failed, then, as the last line, the numbers. */
export function report(total: Tally): string {
  const reasonOf = (name: string) => (total.reasons?.[name] === undefined ? '' : `\n         ${total.reasons[name]}`);
  const failed = total.failed.map((name) => `FAILED   ${name}${reasonOf(name)}`);
  const repeated = total.repeated.map(
    (name) => `REPEATED ${name} (failed; then its file ran again and passed)${reasonOf(name)}`,
  );
  const notRun = total.skipped.map(({ name, reason }) => `NOT RUN  ${name} (${reason})`);
  const skipped = notRun.length === 0 ? '' : `, ${notRun.length} skipped`;
  return [...notRun, ...repeated, ...failed, `${total.passed} passed, ${failed.length} failed${skipped}`].join('\n');
}
