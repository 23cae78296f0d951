import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { bundle } from '../../src/packaging/bundle.ts';
import { ROOT } from './packing.ts';

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'handrail-bundle-text-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

test('the code of a bundle has one byte a character and no comments, and says the same', {
  timeout: 120_000,
}, async () => {
  const [from, into] = [folder(), folder()];
  const source = join(from, 'words.ts');
  const lines = [
    '/** A comment … that no process needs. */',
    "export const plain = 'é – 日本 😀';",
    'export const template = `„日本“`;',
    "export const escaped = ['a\\…b', /^\\…$/.test('…'), /^[‐-―]$/.test('–'), /^[😀-😂]$/u.test('😁')];",
  ];
  writeFileSync(source, lines.join('\n'));
  await bundle({ into, programs: { words: relative(ROOT, source) } });
  const texts = readdirSync(into)
    .filter((name) => name.endsWith('.js'))
    .map((name) => readFileSync(join(into, name), 'utf8'));
  expect(texts.length).toBeGreaterThan(3);
  expect(texts.filter((text) => /[^\0-\xff]/.test(text))).toEqual([]);
  expect(texts.join('')).not.toContain('that no process needs');
  expect(await import(pathToFileURL(join(into, 'words.js')).href)).toMatchObject({
    plain: 'é – 日本 😀',
    template: '„日本“',
    escaped: ['a…b', true, true, true],
  });
});

test('a program of a bundle that uses node:http does not load fetch', { timeout: 120_000 }, async () => {
  const [from, into] = [folder(), folder()];
  const source = join(from, 'server.ts');
  const lines = [
    "import http, { createServer, type Server } from 'node:http';",
    'const server: Server = createServer();',
    "const isFetchLoaded = Reflect.get(process, 'moduleLoadList').includes('NativeModule internal/deps/undici/undici');",
    'console.log(JSON.stringify([server instanceof http.Server, isFetchLoaded]));',
  ];
  writeFileSync(source, lines.join('\n'));
  await bundle({ into, programs: { server: relative(ROOT, source) } });
  expect(JSON.parse(execFileSync(process.execPath, [join(into, 'server.js')], { encoding: 'utf8' }))).toEqual([
    true,
    false,
  ]);
});

test('the package for keys and mouse loads in a bundle without a warning of Node', { timeout: 120_000 }, async () => {
  const [from, into] = [folder(), folder()];
  const source = join(from, 'keys.ts');
  const nut = JSON.stringify(join(ROOT, 'node_modules/@nut-tree-fork/nut-js/dist/index.js'));
  writeFileSync(source, `console.log(typeof (await import(${nut})).default.keyboard.type);`);
  await bundle({ into, programs: { keys: relative(ROOT, source) } });
  // The binary stays outside of the bundle.
  const env = { ...process.env, NODE_PATH: join(ROOT, 'node_modules') };
  const { stdout, stderr } = spawnSync(process.execPath, [join(into, 'keys.js')], { env, encoding: 'utf8' });
  expect({ stdout, stderr }).toEqual({ stdout: 'function\n', stderr: '' });
});
