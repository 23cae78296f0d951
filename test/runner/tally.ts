/** Names, in the environment of a test run, the file that its tally is to be written to. */
export const TALLY_FILE_VARIABLE = 'HANDRAIL_TALLY_FILE';

/** What became of the tests of one step. */
export type Tally = {
  passed: number;
  /** Full names of what failed, a file that cannot be loaded and a failed hook among them. */
  failed: string[];
  skipped: { name: string; reason: string }[];
};

/** A step that is one test by itself, such as the linter. */
export function tallyOfStep(name: string, exitCode: number): Tally {
  return exitCode === 0 ? { passed: 1, failed: [], skipped: [] } : { passed: 0, failed: [name], skipped: [] };
}

/** A step that counts its tests; it has failed when it says so, even if none of its tests has. */
export function tallyOfTests(name: string, exitCode: number, counted: Tally | undefined): Tally {
  if (counted === undefined) return { passed: 0, failed: [`${name}: did not come to its end`], skipped: [] };
  const unexplained = exitCode !== 0 && counted.failed.length === 0;
  return unexplained ? { ...counted, failed: [`${name}: ended with exit code ${exitCode}`] } : counted;
}

export function totalOf(tallies: readonly Tally[]): Tally {
  return {
    passed: tallies.reduce((sum, tally) => sum + tally.passed, 0),
    failed: tallies.flatMap((tally) => tally.failed),
    skipped: tallies.flatMap((tally) => tally.skipped),
  };
}

/** Names what failed and what was not run, then, as the last line, the numbers. */
export function report(total: Tally): string {
  const failed = total.failed.map((name) => `FAILED   ${name}`);
  const notRun = total.skipped.map(({ name, reason }) => `NOT RUN  ${name} (${reason})`);
  const skipped = notRun.length === 0 ? '' : `, ${notRun.length} skipped`;
  return [...notRun, ...failed, `${total.passed} passed, ${failed.length} failed${skipped}`].join('\n');
}
