import { writeFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import type { Reporter, SerializedError, TestCase, TestModule, TestSuite } from 'vitest/node';
import { type Counted, shortReason, type Tally } from './tally.ts';

/** Counts the tests of a run for `npm test`, beside the reporter that shows them. */
export class CountingReporter implements Reporter {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): void {
    const counted: Counted = {
      files: Object.fromEntries(modules.map((module) => [module.relativeModuleId, tallyOf([module])])),
      outside: unhandledErrors.map(({ message }) => `outside of any test: ${reasonIn(message)}`),
    };
    writeFileSync(this.#file, JSON.stringify(counted));
  }
}

/** What became of the tests of these files. */
export function tallyOf(modules: readonly TestModule[]): Tally {
  const tests = modules.flatMap((module) => [...module.children.allTests()]);
  const groups = modules.flatMap((module) => [module, ...module.children.allSuites()]);
  return {
    passed: tests.filter((test) => test.result().state === 'passed').length,
    failed: [
      ...groups.filter((group) => group.errors().length > 0).map(nameOf),
      ...tests.filter((test) => ['failed', 'pending'].includes(test.result().state)).map(nameOf),
    ],
    reasons: Object.fromEntries(tests.flatMap(reasonOf)),
    skipped: tests.filter((test) => test.result().state === 'skipped').map(skippedTest),
    repeated: [],
  };
}

function nameOf(item: TestModule | TestSuite | TestCase): string {
  return item.type === 'module' ? item.relativeModuleId : `${item.module.relativeModuleId} > ${item.fullName}`;
}

/** The name of a test that failed, with the start of what caused its first error, if anything, and of that error. */
function reasonOf(test: TestCase): [string, string][] {
  const [error] = test.result().errors ?? [];
  const reason = reasonIn([error?.cause?.message, error?.message].join('\n'));
  return reason === '' ? [] : [[nameOf(test), reason]];
}

function reasonIn(message: string): string {
  return shortReason(stripVTControlCharacters(message));
}

function skippedTest(test: TestCase): Tally['skipped'][number] {
  const result = test.result();
  const note = result.state === 'skipped' ? result.note : undefined;
  return { name: nameOf(test), reason: note ?? 'skipped without a reason' };
}
