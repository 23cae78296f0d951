import { readFileSync } from 'node:fs';
import { createVitest, type TestModule, type Vitest } from 'vitest/node';
import { buildDaemonIfNeeded } from '../../src/packaging/build-if-needed.ts';
import { tallyOf } from '../runner/counting-reporter.ts';

/** Runs tests of the copy of the project in which this file lies. Its parent changes the copy between two runs. */
export type Question = { project: string; file: string; title: string; changed: string };
/** Full names of the tests with this title that failed, or why they did not come to their end. */
export type Answer = { failed: string[] } | { broken: string };

let vitest: Promise<Vitest> | undefined;
/** What was changed for the last question, and is whole again: it is read anew, too. */
let restored: string[] = [];

process.on('message', (question: Question) => {
  void answerTo(question)
    .catch((error: unknown): Answer => ({ broken: String(error) }))
    .then((answer) => process.send?.(answer));
});

/** One Vitest for all questions: it starts once, and transforms a module again only when it has changed. */
async function started(): Promise<Vitest> {
  // A test is expected to fail here: repeating it would only take longer.
  // A test that waits for what the guard brought about ends after this time, which is ten times what the longest of them takes.
  const settings = { config: 'test/vitest.config.ts', watch: false, retry: 0, reporters: [{}], testTimeout: 30_000 };
  const created = await createVitest('test', settings);
  await created.standalone();
  await created.globTestSpecifications();
  return created;
}

async function answerTo({ project, file, title, changed }: Question): Promise<Answer> {
  if (startsDaemons(file)) await buildDaemonIfNeeded();
  vitest ??= started();
  const running = await vitest;
  const path = `${process.cwd()}/${file}`;
  for (const file of [...restored, changed]) running.invalidateFile(`${process.cwd()}/${file}`);
  restored = [changed];
  running.setGlobalTestNamePattern(RegExp.escape(title));
  const specifications = running.getModuleSpecifications(path).filter((each) => each.project.name === project);
  if (specifications.length !== 1) return { broken: `${file} is in ${specifications.length} projects` };
  const { testModules } = await running.runTestSpecifications(specifications);
  // Vitest also tells what earlier questions found in other files.
  return { failed: failedOf(testModules.filter(({ moduleId }) => moduleId === path)) };
}

/** Whether the tests of a file start the daemon as `npm start` does, which takes seconds to bundle. */
function startsDaemons(file: string): boolean {
  return /^test\/(?:e2e|browser)\//.test(file) || readFileSync(file, 'utf8').includes('DAEMON_FOLDER');
}

const failedOf = (modules: readonly TestModule[]) => tallyOf(modules).failed;
