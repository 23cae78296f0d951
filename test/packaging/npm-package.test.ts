import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { NOBODY } from '../http/other-os-user.ts';
import { ROOT } from './packing.ts';

/** Beside Node itself, and without sharp, which npm installs. */
const MOST_BYTES = 45_000_000;
const OWN = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const asRoot = process.getuid?.() === 0;

let top: string;
/** The package as npm unpacks it, beside the packages that npm installs. In a folder with a space. */
let modules: string;
let handrail: string;

beforeAll(() => {
  top = mkdtempSync(join(tmpdir(), 'handrail packed '));
  const words = ['run', '--silent', 'pack', '--', '--silent', '--pack-destination', top];
  const archive = execFileSync('npm', words, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  modules = join(top, 'node_modules');
  handrail = join(modules, 'handrail');
  mkdirSync(handrail, { recursive: true });
  const file = join(top, String(archive.trim().split('\n').at(-1)));
  execFileSync('tar', ['-xzf', file, '-C', handrail, '--strip-components=1']);
  for (const name of installed()) cpSync(join(ROOT, 'node_modules', name), join(modules, name), { recursive: true });
  // The other user of these tests must be able to read it.
  chmodSync(top, 0o755);
}, 180_000);
afterAll(() => rmSync(top, { recursive: true, force: true }));

/** What npm installs with it: the dependencies and theirs, with the optional ones that are for this machine. */
function installed(): string[] {
  const found = new Set<string>();
  const waiting = [...Object.keys(OWN.dependencies), ...Object.keys(OWN.optionalDependencies)];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const manifest = join(ROOT, 'node_modules', name, 'package.json');
    if (found.has(name) || !existsSync(manifest)) continue;
    found.add(name);
    const { dependencies = {}, optionalDependencies = {} } = JSON.parse(readFileSync(manifest, 'utf8'));
    waiting.push(...Object.keys(dependencies), ...Object.keys(optionalDependencies));
  }
  return [...found];
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** The words for `spawn`: as another OS user where the tests run as root, with little in the environment. */
function asOther(settings: Record<string, string>) {
  const home = mkdtempSync(join(tmpdir(), 'handrail-home-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  if (asRoot) execFileSync('chown', [String(NOBODY), home]);
  const env = { PATH: process.env.PATH, HOME: home, HANDRAIL_PORT: '0', HANDRAIL_AGENT_DRIVER: 'fake', ...settings };
  return { home, options: { cwd: home, env, ...(asRoot ? { uid: NOBODY, gid: NOBODY } : {}) } };
}

const BIN = () => join(handrail, OWN.bin.handrail);

test('the licence is Apache-2.0, nothing is published by accident, and the command can be run', () => {
  expect(OWN).toMatchObject({ license: 'Apache-2.0', private: true, bin: { handrail: 'src/launch/handrail.cjs' } });
  expect(readFileSync(BIN(), 'utf8').startsWith('#!/usr/bin/env node\n')).toBe(true);
});

test('it has no sources to strip, source maps, tests, or binaries for other systems, and is small', () => {
  const files = filesIn(handrail);
  expect(
    files.filter((file) =>
      /(?<!\.d)\.tsx?$|\.map$|\.wasm\.js$|(musl|win32).*\.node$|\/tests?\/|\/docs?\//.test(file.slice(handrail.length)),
    ),
  ).toEqual([]);
  const sizes = files.map((file) => lstatSync(file).size);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MOST_BYTES);
  const binaries = files.filter((file) => file.includes('/prebuilds/')).map((file) => file.split('/').at(-1));
  expect(binaries.sort()).toEqual(['darwin-arm64.node', 'darwin-x64.node', 'linux-arm64.node', 'linux-x64.node']);
});

test('npm installs only packages that it must: no development part, nothing with a command of its own', () => {
  expect(Object.keys(OWN.dependencies).sort()).toEqual(['sharp', 'typebox']);
  const scripts = installed().flatMap((name) => {
    const { scripts: of = {} } = JSON.parse(readFileSync(join(ROOT, 'node_modules', name, 'package.json'), 'utf8'));
    return Object.keys(of)
      .filter((script) => /^(pre|post)?install$/.test(script))
      .map((script) => `${name}: ${script}`);
  });
  expect(scripts).toEqual([]);
});

test('handrail start serves page and agent as another OS user, and ends with code 0', async () => {
  const { options } = asOther({});
  const child = spawn(process.execPath, [BIN(), 'start'], { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  const exited = once(child, 'exit');
  // The launcher passes this on; SIGKILL would leave the daemon behind.
  onTestFinished(() => void child.kill('SIGTERM'));
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  const base = String(line).replace('handrail listening on ', '');
  const page = await fetch(`${base}/`);
  const [, script = ''] = /src="([^"]+)"/.exec(await page.text()) ?? [];
  expect([page.status, (await fetch(new URL(script, base))).status, (await fetch(`${base}/docs`)).status]).toEqual([
    200, 200, 200,
  ]);
  await expect
    .poll(async () => JSON.stringify(await (await fetch(`${base}/health`)).json()))
    .toContain('"agent":"online"');
  const run = (...words: string[]) => spawnSync(process.execPath, [BIN(), ...words], { ...options, encoding: 'utf8' });
  expect(run('describe')).toMatchObject({ status: 0, stdout: expect.stringContaining('Text Editor') });
  expect(run('login')).toMatchObject({ status: 0, stdout: expect.stringMatching(/^dashboard .*\ncode \S+\n$/) });
  expect(run('audit')).toMatchObject({ status: 0, stdout: expect.stringContaining('as it was written') });
  expect(run('connect', 'goose', '--print')).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('dist/daemon/cli.js'),
  });
  child.kill('SIGTERM');
  expect(await exited).toEqual([0, null]);
});

test('the packages that it carries run: pictures, the database, and the recognition of text', () => {
  const script = `
    const { createRequire } = require('node:module');
    const load = createRequire(${JSON.stringify(join(handrail, 'dist/daemon/headless.js'))});
    const Database = load('better-sqlite3');
    const tesseract = load('tesseract.js');
    const { join, dirname } = require('node:path');
    const data = join(dirname(load.resolve('@tesseract.js-data/eng/package.json')), '4.0.0');
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="90"><rect width="400" height="90" fill="#fff"/><text x="20" y="60" font-family="DejaVu Sans" font-size="44">handrail</text></svg>';
    (async () => {
      const png = await load('sharp')(Buffer.from(svg)).png().toBuffer();
      const worker = await tesseract.createWorker('eng', tesseract.OEM.LSTM_ONLY, { langPath: data, gzip: true, cacheMethod: 'none' });
      const { data: { text } } = await worker.recognize(png);
      await worker.terminate();
      console.log(new Database(':memory:').prepare('select 1 + 1 as two').get().two, text.trim());
    })();`;
  const { options } = asOther({});
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', script], { ...options, encoding: 'utf8' });
  expect({ stdout, stderr }).toEqual({ stdout: '2 handrail\n', stderr: '' });
});

test('a copy that was packed without its build says how to pack one', () => {
  const folder = join(top, 'unbuilt/node_modules/handrail');
  mkdirSync(folder, { recursive: true });
  cpSync(join(handrail, 'src'), join(folder, 'src'), { recursive: true });
  cpSync(join(handrail, 'package.json'), join(folder, 'package.json'));
  const [name = ''] = Object.keys(OWN.optionalDependencies).filter((key) => existsSync(join(modules, key)));
  cpSync(join(modules, name), join(folder, 'node_modules', name), { recursive: true });
  const { status, stderr } = spawnSync(process.execPath, [join(folder, 'src/launch/handrail.cjs'), 'status'], {
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining('npm run pack') });
});

test('a program with types uses handrail/client', () => {
  const folder = join(top, 'program');
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(
    join(folder, 'program.ts'),
    `import { createClient, type Action, type Reply } from 'handrail/client';
const client = createClient({ userId: 'me', baseUrl: 'http://127.0.0.1:9' });
const cancelled: Promise<Reply<Action>> = client.cancelAction('act_1');
const answer = await cancelled;
if (answer.ok) {
  // @ts-expect-error there is no such status
  const wrong: 'nonsense' = answer.value.status;
  console.log(wrong);
} else console.log(answer.failure.code);
`,
  );
  const settings = '--strict --module nodenext --target es2024 --noEmit --ignoreConfig --types node'.split(' ');
  cpSync(join(ROOT, 'node_modules/@types/node'), join(modules, '@types/node'), { recursive: true });
  cpSync(join(ROOT, 'node_modules/undici-types'), join(modules, 'undici-types'), { recursive: true });
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  const compiled = spawnSync(process.execPath, [compiler, ...settings, 'program.ts'], {
    cwd: folder,
    encoding: 'utf8',
  });
  expect(compiled.stdout).toBe('');
  const { stdout, stderr } = spawnSync(process.execPath, ['program.ts'], { cwd: folder, encoding: 'utf8' });
  expect({ stdout, stderr }).toEqual({ stdout: 'unreachable\n', stderr: '' });
});
