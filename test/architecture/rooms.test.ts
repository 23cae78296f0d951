import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { expect, test } from 'vitest';

/** For each room, the rooms it may import from, and the packages only it may import. */
const ROOMS: Record<string, { mayImport: readonly string[]; ownPackages?: readonly string[] }> = {
  'src/contract': { mayImport: [] },
  'src/domain': { mayImport: ['src/contract'] },
  'src/guardian': { mayImport: ['src/domain', 'src/contract'] },
  'src/store': { mayImport: ['src/guardian', 'src/domain', 'src/contract'], ownPackages: ['better-sqlite3'] },
  'src/services': { mayImport: ['src/store', 'src/guardian', 'src/domain', 'src/contract'] },
  'src/http': {
    mayImport: ['src/services', 'src/contract'],
    ownPackages: ['fastify'],
  },
  'src/daemon.ts': {
    mayImport: [
      'src/http',
      'src/services',
      'src/store',
      'src/guardian',
      'src/domain',
      'src/contract',
      'src/settings.ts',
    ],
  },
  'src/headless.ts': {
    mayImport: ['src/daemon.ts', 'src/settings.ts', 'src/sign-in-socket.ts', 'src/closing.ts', 'src/runtime.cjs'],
  },
  'src/closing.ts': { mayImport: [] },
  'src/launch.cjs': { mayImport: ['src/bundled-node.cjs'] },
  'src/bundled-node.cjs': { mayImport: ['src/runtime.cjs'] },
  'src/runtime.cjs': { mayImport: [] },
  'src/login.ts': { mayImport: ['src/settings.ts', 'src/sign-in-socket.ts'] },
  'src/sign-in-socket.ts': { mayImport: [] },
  'src/settings.ts': { mayImport: [] },
  'src/audit.ts': { mayImport: ['src/settings.ts', 'src/store'] },
  'src/desktop': { mayImport: ['src/daemon.ts', 'src/settings.ts', 'src/contract'], ownPackages: ['electron'] },
  agent: {
    mayImport: ['src/contract'],
    ownPackages: ['@nut-tree-fork/nut-js', 'screenshot-desktop', 'sharp', 'tesseract.js', 'dbus-native'],
  },
  'renderer/dev.ts': { mayImport: ['src/launch.cjs', 'renderer'] },
  renderer: { mayImport: ['src/contract'], ownPackages: ['react'] },
};

const root = join(import.meta.dirname, '../..');
const CONTRACT_PACKAGES = ['typebox'];

type Import = { from: string; to: string };

function sourceFiles(): string[] {
  const folders = ['src', 'agent', 'renderer'].filter((folder) => existsSync(join(root, folder)));
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(cjs|ts|tsx)$/.test(entry.name))
      .map((entry) => relative(root, join(entry.parentPath, entry.name))),
  );
}

function importsOf(file: string): Import[] {
  const text = readFileSync(join(root, file), 'utf8');
  const pattern = /(?:\bfrom\s+|\bimport\s*\(\s*|\bimport\s+|\brequire\(\s*)['"]([^'"]+)['"]/g;
  return [...text.matchAll(pattern)].map((match) => ({ from: file, to: resolved(file, String(match[1])) }));
}

function resolved(file: string, specifier: string): string {
  return specifier.startsWith('.') ? normalize(join(dirname(file), specifier)) : specifier;
}

function roomOf(path: string): string | undefined {
  return Object.keys(ROOMS).find((room) => path === room || path.startsWith(`${room}/`));
}

function complaint({ from, to }: Import): string | undefined {
  const room = roomOf(from);
  if (room === undefined) return `${from} is in no room`;
  const target = roomOf(to);
  if (target !== undefined) {
    return target === room || ROOMS[room]?.mayImport.includes(target) ? undefined : `${from} may not import ${to}`;
  }
  return packageComplaint({ from, to }, room);
}

function packageComplaint({ from, to }: Import, room: string): string | undefined {
  const isPackage = (name: string) => to === name || to.startsWith(`${name}/`);
  if (room === 'src/contract' && !CONTRACT_PACKAGES.some(isPackage))
    return `${from} may import typebox only, not ${to}`;
  const owner = Object.entries(ROOMS).find(([, rules]) => rules.ownPackages?.some(isPackage))?.[0];
  return owner === undefined || owner === room ? undefined : `${from} may not import ${to}: it belongs to ${owner}`;
}

test('imports between rooms point downward only', () => {
  const imports = sourceFiles().flatMap(importsOf);
  expect(imports.length).toBeGreaterThan(10);
  expect(imports.map(complaint).filter((text) => text !== undefined)).toEqual([]);
});

test('electron is imported for its types only: under plain Node its own module would start a download', () => {
  const pattern = /^(import\s+(?!type\b)[^;]*?['"]electron['"]|.*\bimport\(\s*['"]electron['"])/m;
  const runTime = sourceFiles().filter((file) => pattern.test(readFileSync(join(root, file), 'utf8')));
  expect(runTime).toEqual([]);
});

test('the rule sees an upward import, a stray package and a contract that imports a package', () => {
  expect(complaint({ from: 'src/domain/a.ts', to: 'src/store/b.ts' })).toBe(
    'src/domain/a.ts may not import src/store/b.ts',
  );
  expect(complaint({ from: 'src/http/a.ts', to: 'better-sqlite3' })).toContain('belongs to src/store');
  expect(complaint({ from: 'src/http/a.ts', to: 'electron' })).toContain('belongs to src/desktop');
  expect(complaint({ from: 'src/daemon.ts', to: 'src/desktop/a.ts' })).toContain('may not import');
  expect(complaint({ from: 'src/contract/a.ts', to: 'node:fs' })).toContain('typebox only');
  expect(complaint({ from: 'agent/main.ts', to: 'src/domain/a.ts' })).toContain('may not import');
});
