import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, onTestFinished, test } from 'vitest';
import { AGENT_FLAGS } from '../../src/agent-host/process.ts';
import { electronBinary } from '../../src/launch/electron-binary.cjs';
import { chosenWords } from '../../src/launch/launch.cjs';
import { OLDEST_NODE } from '../../src/launch/runtime.cjs';
import { START as START_OF_DAEMON } from '../e2e/daemon.ts';
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

  test('keeps the memory heaps of threads few, unless the person wants another number', () => {
    const project = createProject({ 'tell.ts': 'console.log(process.env.MALLOC_ARENA_MAX)' });
    project.install();
    expect(project.launch(['tell.ts']).stdout).toBe('2\n');
    expect(project.launch(['tell.ts'], [], { MALLOC_ARENA_MAX: '5' }).stdout).toBe('5\n');
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

  test('runs the first of several scripts that is there once --after has run', () => {
    const project = createProject({
      'build.ts': "require('node:fs').writeFileSync('built.cjs', \"console.log('built')\")",
      'source.ts': "console.log('source')",
    });
    project.install();
    expect(project.launch(['built.cjs,source.ts'])).toMatchObject({ status: 0, stdout: 'source\n' });
    expect(project.launch(['--after=build.ts', 'built.cjs,source.ts'])).toMatchObject({ status: 0, stdout: 'built\n' });
    expect(project.launch(['a.ts,b.ts'])).toMatchObject({ status: 1, stderr: expect.stringContaining('There is no') });
  });
});

describe('npm start', () => {
  const START = [
    '--app=src/packaging/desktop.ts',
    '--after=build.ts',
    '--max-semi-space-size=4',
    'src/daemon/headless.ts',
  ];
  const [, ...DAEMON] = START;

  test('starts the app on a Mac that has Electron, the daemon on one that has not, and says which', () => {
    expect(chosenWords(START, { platform: 'darwin', hasElectron: true })).toEqual({
      words: ['src/packaging/desktop.ts'],
      note: expect.stringContaining('starts as an app'),
    });
    expect(chosenWords(START, { platform: 'darwin', hasElectron: false })).toEqual({
      words: DAEMON,
      note: expect.stringContaining('npm run get-electron'),
    });
  });

  test('starts the daemon on Linux without a word, and wherever arguments are given', () => {
    expect(chosenWords(START, { platform: 'linux', hasElectron: true })).toEqual({ words: DAEMON });
    expect(chosenWords([...START, '--help'], { platform: 'darwin', hasElectron: true })).toEqual({
      words: [...DAEMON, '--help'],
    });
  });

  test('is the only command that can start the app', () => {
    const { scripts } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'));
    const withApp = Object.keys(scripts).filter((name) => String(scripts[name]).includes('--app='));
    expect(withApp).toEqual(['start']);
    expect(String(scripts.start).split(' ').slice(3)).toEqual([
      '--app=src/packaging/desktop.ts',
      '--after=src/packaging/build-if-needed.ts',
      '--disable-sigusr1',
      '--max-semi-space-size=4',
      '--v8-pool-size=1',
      'dist/daemon/headless.js,src/daemon/headless.ts',
    ]);
  });

  test.each([
    ['the daemon', () => START_OF_DAEMON.slice(1, -1)],
    ['the agent', () => AGENT_FLAGS],
  ])('no flag of %s makes Node compile its own modules at each start', (_, flags) => {
    const tag = (args: readonly string[]) =>
      spawnSync(process.execPath, [...args, '-p', 'v8.cachedDataVersionTag()'], { encoding: 'utf8' }).stdout;
    expect(tag(flags())).toBe(tag([]));
    expect(tag([...flags(), '--optimize-for-size'])).not.toBe(tag([]));
  });

  test('finds the binary of Electron where npm run get-electron puts it, or where the environment says', () => {
    const root = mkdtempSync(join(tmpdir(), 'handrail-electron-'));
    onTestFinished(() => rmSync(root, { recursive: true }));
    const folder = join(root, 'node_modules/electron/dist/Electron.app/Contents/MacOS');
    const place = { root, platform: 'darwin', environment: {} } as const;
    expect(electronBinary(place)).toBeUndefined();
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'Electron'), '');
    expect(electronBinary(place)).toBe(join(folder, 'Electron'));
    expect(electronBinary({ ...place, environment: { ELECTRON_OVERRIDE_DIST_PATH: root } })).toBeUndefined();
    writeFileSync(join(root, 'electron'), '');
    const override = {
      root: '/nowhere',
      platform: 'linux',
      environment: { ELECTRON_OVERRIDE_DIST_PATH: root },
    } as const;
    expect(electronBinary(override)).toBe(join(root, 'electron'));
  });
});

describe('a signal to the launcher', { timeout: 30_000 }, () => {
  const WAITING = 'setInterval(() => undefined, 1_000); console.log("ready");';

  async function begun(script: string) {
    const project = createProject({ 'performers.ts': `${script} ${WAITING}` });
    project.install();
    const child = project.begin(['performers.ts']);
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

  test.each([
    [
      'libatomic.so.1',
      'On Debian and Ubuntu run `sudo apt-get install libatomic1`, on Fedora `sudo dnf install libatomic`.',
    ],
    ['libother.so.2', 'Install the package of your system that has it.'],
  ])('the system has no %s, which Node needs', (library, install) => {
    const said = `node: error while loading shared libraries: ${library}: cannot open shared object file: No such file or directory`;
    const project = createProject({ 'end.ts': '', 'not-loaded': `#!/bin/sh\necho '${said}' >&2\nexit 127\n` });
    const program = join(project.root, 'not-loaded');
    chmodSync(program, 0o755);
    project.install(process.versions.node, program);
    expect(project.launch(['end.ts'])).toEqual({
      ...refused(
        `${said}\nhandrail: Node needs the library ${library}, and this system has none. ${install} Then run the command again.\n`,
      ),
      status: 127,
    });
  });

  test('a script that ends with 127 is not taken for a Node that cannot be started', () => {
    const project = createProject({ 'end.ts': 'process.exit(127)' });
    project.install();
    expect(project.launch(['end.ts'])).toEqual({ ...refused(''), status: 127 });
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
