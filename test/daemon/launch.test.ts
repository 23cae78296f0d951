import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, test } from 'vitest';
import { OLDEST_NODE } from '../../src/runtime.cjs';
import { createProject, OWN_PACKAGE } from './launched.ts';

const TELL = 'console.log(JSON.stringify([process.argv.slice(2), process.execArgv, process.env.PATH]))';

describe('the launcher', { timeout: 30_000 }, () => {
  test('runs a script on the bundled Node, with its folder first on PATH, in a folder with a space', () => {
    const project = createProject({ 'tell.ts': `const words: string[] = [];\n${TELL}` });
    const bin = project.install();
    const { status, stdout, stderr } = project.launch([
      '--max-http-header-size=9000',
      'tell.ts',
      'a b',
      '--port',
      '$X',
    ]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(JSON.parse(stdout)).toEqual([['a b', '--port', '$X'], ['--max-http-header-size=9000'], `${bin}:/nowhere`]);
  });

  test('ends with the exit code of the script', () => {
    const project = createProject({ 'end.ts': 'process.exit(7)' });
    project.install();
    expect(project.launch(['end.ts'])).toEqual({ status: 7, signal: null, stdout: '', stderr: '' });
  });

  test('runs a tool of node_modules without the links of node_modules/.bin', () => {
    const project = createProject();
    project.install();
    const folder = join(project.root, 'node_modules/typescript');
    mkdirSync(folder);
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ bin: { tsc: './tool.js' } }));
    writeFileSync(join(folder, 'tool.js'), `#!/usr/bin/env node\n${TELL}`);
    expect(JSON.parse(project.launch(['tsc', '-p', '.']).stdout)[0]).toEqual(['-p', '.']);
  });

  test('runs the script of --after first, and the other one only when that succeeds', () => {
    const project = createProject({
      'build.ts': "console.log('built')",
      'fail.ts': "console.log('not built'); process.exit(3)",
      'serve.ts': "console.log('served')",
    });
    project.install();
    expect(project.launch(['--after=build.ts', 'serve.ts'])).toMatchObject({ status: 0, stdout: 'built\nserved\n' });
    expect(project.launch(['--after=fail.ts', 'serve.ts'])).toMatchObject({ status: 3, stdout: 'not built\n' });
  });
});

describe('a signal to the launcher', { timeout: 30_000 }, () => {
  const WAITING = 'setInterval(() => undefined, 1_000); console.log("ready");';

  async function begun(script: string) {
    const project = createProject({ 'wait.ts': `${script} ${WAITING}` });
    project.install();
    const child = project.begin(['wait.ts']);
    const lines: string[] = [];
    const reader = createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
    await once(reader, 'line');
    return { child, lines, ended: Promise.all([once(child, 'exit'), once(reader, 'close')]).then(([end]) => end) };
  }

  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    '%s is passed on, and the script decides how to end',
    async (name) => {
      const { child, lines, ended } = await begun(
        `process.on('${name}', () => { console.log('told'); process.exit(5); });`,
      );
      child.kill(name);
      expect(await ended).toEqual([5, null]);
      expect(lines).toEqual(['ready', 'told']);
    },
  );

  test('that ends the script ends the launcher by the same signal', async () => {
    const { child, ended } = await begun('');
    child.kill('SIGTERM');
    expect(await ended).toEqual([null, 'SIGTERM']);
  });
});

describe('without a Node to run on, the launcher says what to do:', { timeout: 30_000 }, () => {
  const refused = (stderr: string) => ({ status: 1, signal: null, stdout: '', stderr });

  test('nothing is installed', () => {
    expect(createProject().launch(['end.ts'])).toEqual(
      refused('handrail: The dependencies are not installed. Run `npm ci` in the folder of Handrail.\n'),
    );
  });

  test('npm left the optional packages out', () => {
    const project = createProject();
    mkdirSync(join(project.root, 'node_modules'));
    const { status, stderr } = project.launch(['end.ts']);
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining(`The package ${OWN_PACKAGE}`) });
    expect(stderr).toContain('Run `npm ci --include=optional` in the folder of Handrail.\n');
  });

  test('the platform has no package', () => {
    const project = createProject({
      'other.cjs': "Object.defineProperty(process, 'platform', { value: 'freebsd' });",
    });
    const { status, stderr } = project.launch(['end.ts'], [`--require=${join(project.root, 'other.cjs')}`]);
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: `handrail: Handrail brings its own Node for linux-x64, linux-arm64, darwin-x64, darwin-arm64, and this is freebsd-${process.arch}.\n`,
    });
  });

  test('the installed one is too old', () => {
    const project = createProject();
    project.install('24.8.9');
    expect(project.launch(['end.ts'])).toEqual(
      refused(
        `handrail: Handrail needs Node ${OLDEST_NODE} or newer, and this is Node 24.8.9. The project asks for Node ${process.versions.node}. Run \`npm ci\` in the folder of Handrail.\n`,
      ),
    );
  });

  test('the installed one cannot be started on this system', () => {
    const project = createProject({ 'end.ts': '', 'not-a-program': 'x' });
    project.install(process.versions.node, join(project.root, 'not-a-program'));
    const { status, stderr } = project.launch(['end.ts']);
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining('cannot be started (') });
  });
});

test('a Node that is new enough, but not the one the project asks for, runs with a warning', {
  timeout: 30_000,
}, () => {
  const project = createProject({ 'end.ts': 'process.exit(0)' });
  project.install(OLDEST_NODE);
  expect(project.launch(['end.ts'])).toEqual({
    status: 0,
    signal: null,
    stdout: '',
    stderr: `handrail: Node ${OLDEST_NODE} is installed, and the project asks for Node ${process.versions.node}. Run \`npm ci\` in the folder of Handrail.\n`,
  });
});

test('a script that does not exist is named', { timeout: 30_000 }, () => {
  const project = createProject();
  project.install();
  const { status, stderr } = project.launch(['nothing.ts']);
  expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining('my project/nothing.ts.') });
});
