import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Import, importsBelow, sourcesBelow } from './imports.ts';

/** For each room, the rooms it may import from, and the packages that only it and others which name them may import. */
const ROOMS: Record<string, { mayImport: readonly string[]; ownPackages?: readonly string[] }> = {
  'src/contract': { mayImport: [] },
  'src/launch': { mayImport: [] },
  'src/client': { mayImport: ['src/contract'], ownPackages: ['eventsource-parser'] },
  'src/domain': { mayImport: ['src/contract'] },
  'src/guardian': { mayImport: ['src/domain', 'src/contract'] },
  'src/store': {
    mayImport: ['src/launch', 'src/guardian', 'src/domain', 'src/contract'],
    ownPackages: ['better-sqlite3'],
  },
  'src/run-file': { mayImport: ['src/store', 'src/contract'] },
  'src/services': {
    mayImport: ['src/launch', 'src/run-file', 'src/store', 'src/guardian', 'src/domain', 'src/contract'],
  },
  'src/agent-host': { mayImport: ['src/launch', 'src/services', 'src/contract'] },
  'src/peers': { mayImport: ['src/services', 'src/contract'] },
  'src/mcp': {
    mayImport: ['src/services', 'src/domain', 'src/client', 'src/contract'],
    ownPackages: ['@modelcontextprotocol/server', 'sharp'],
  },
  'src/computer-use': { mayImport: ['src/services', 'src/domain', 'src/contract'] },
  'src/http': {
    mayImport: [
      'src/launch',
      'src/agent-host',
      'src/peers',
      'src/computer-use',
      'src/mcp',
      'src/services',
      'src/contract',
    ],
    ownPackages: ['fastify'],
  },
  'src/reach': { mayImport: ['src/contract'], ownPackages: ['dbus-native'] },
  'src/own-daemon': { mayImport: ['src/run-file', 'src/store', 'src/contract'] },
  'src/daemon': {
    mayImport: [
      'src/launch',
      'src/own-daemon',
      'src/reach',
      'src/http',
      'src/agent-host',
      'src/peers',
      'src/services',
      'src/store',
      'src/guardian',
      'src/domain',
      'src/contract',
    ],
  },
  'src/demo': { mayImport: ['src/launch', 'src/agent-host', 'src/own-daemon', 'src/client', 'src/contract'] },
  'src/doctor': { mayImport: ['src/agent-host', 'src/own-daemon', 'src/contract'] },
  'src/cli': {
    mayImport: [
      'src/launch',
      'src/agent-host',
      'src/own-daemon',
      'src/client',
      'src/domain',
      'src/contract',
      'src/doctor',
      'src/mcp',
    ],
    ownPackages: ['commander', 'jsonc-parser', 'smol-toml', 'yaml'],
  },
  'src/shell': { mayImport: ['src/launch', 'src/own-daemon', 'src/contract'] },
  'src/electron': {
    mayImport: ['src/launch', 'src/own-daemon', 'src/daemon', 'src/shell', 'src/contract'],
    ownPackages: ['electron'],
  },
  agent: {
    mayImport: ['src/launch', 'src/contract'],
    ownPackages: ['@nut-tree-fork/nut-js', 'screenshot-desktop', 'sharp', 'tesseract.js', 'dbus-native'],
  },
  'renderer/dev.ts': { mayImport: ['src/launch', 'renderer/build-if-needed.ts', 'renderer'] },
  'src/packaging': {
    mayImport: ['src/launch', 'renderer/build-if-needed.ts'],
    ownPackages: ['electron-builder', 'plist', 'rolldown', 'sharp'],
  },
  'renderer/build-if-needed.ts': { mayImport: [] },
  renderer: { mayImport: ['src/client', 'src/contract'], ownPackages: ['react'] },
};

const root = join(import.meta.dirname, '../..');
const HOUSES = ['src', 'agent', 'renderer'];
const CONTRACT_PACKAGES = ['typebox'];

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
  const owners = Object.keys(ROOMS).filter((name) => ROOMS[name]?.ownPackages?.some(isPackage));
  const isAllowed = owners.length === 0 || owners.includes(room);
  return isAllowed ? undefined : `${from} may not import ${to}: it belongs to ${owners.join(' and ')}`;
}

test('imports between rooms point downward only', () => {
  const imports = importsBelow(...HOUSES);
  expect(imports.length).toBeGreaterThan(10);
  expect(imports.map(complaint).filter((text) => text !== undefined)).toEqual([]);
});

/** The files of the first import circle that is found, the first one again at the end; empty where there is none. */
function circleIn(imports: readonly Import[]): string[] {
  const targets = Map.groupBy(imports, ({ from }) => from);
  const done = new Set<string>();
  const visit = (file: string, path: readonly string[]): string[] => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    if (done.has(file)) return [];
    for (const { to } of targets.get(file) ?? []) {
      const circle = visit(to, [...path, file]);
      if (circle.length > 0) return circle;
    }
    done.add(file);
    return [];
  };
  return [...targets.keys()].reduce<string[]>((found, file) => (found.length > 0 ? found : visit(file, [])), []);
}

test('no files import each other in a circle, not even types', () => {
  expect(circleIn(importsBelow(...HOUSES))).toEqual([]);
});

test('the test sees a circle of three files', () => {
  const circle = [
    { from: 'a.ts', to: 'b.ts' },
    { from: 'b.ts', to: 'c.ts' },
    { from: 'c.ts', to: 'b.ts' },
  ];
  expect(circleIn(circle)).toEqual(['b.ts', 'c.ts', 'b.ts']);
});

/** Under plain Node the module `electron` would start a download. */
const RUN_TIME_ELECTRON = /^(import\s+(?!type\b)[^;]*?['"]electron['"]|.*\bimport\(\s*['"]electron['"])/m;

test('electron is imported at run time by the entries of the app only; the rest is handed what it needs', () => {
  const runTime = sourcesBelow(...HOUSES).filter((file) =>
    RUN_TIME_ELECTRON.test(readFileSync(join(root, file), 'utf8')),
  );
  expect(runTime.sort()).toEqual(['src/electron/main.ts', 'src/electron/preload.ts']);
});

test('every file of src/electron is wiring of electron: rules that need none of it are in src/shell', () => {
  const files = sourcesBelow(...HOUSES).filter((file) => file.startsWith('src/electron/'));
  const isWiring = (file: string) =>
    /from '(electron|\.\/surface\.ts|\.\/shell\.ts)'/.test(readFileSync(join(root, file), 'utf8'));
  expect(files.length).toBeGreaterThan(5);
  expect(files.filter((file) => !isWiring(file))).toEqual([]);
});

test('src/electron starts no timer, reads no clock and catches only the error of a start: such rules are in src/shell', () => {
  const files = sourcesBelow(...HOUSES).filter((file) => file.startsWith('src/electron/'));
  const found = (pattern: RegExp) => files.filter((file) => pattern.test(readFileSync(join(root, file), 'utf8')));
  expect(found(/\bset(Timeout|Interval)\(|\b(Date|performance)\.now\b|process\.kill\b/)).toEqual([]);
  expect(found(/\btry \{/).filter((file) => !STARTS.includes(file))).toEqual([]);
});

/** A start that fails is shown in a dialog, or told to the supervisor of the agent. */
const STARTS = ['src/electron/shell.ts', 'src/electron/main.ts', 'src/electron/shell.ts'];

test('the rule sees an upward import, a stray package and a contract that imports a package', () => {
  expect(complaint({ from: 'src/domain/a.ts', to: 'src/store/b.ts' })).toBe(
    'src/domain/a.ts may not import src/store/b.ts',
  );
  expect(complaint({ from: 'src/http/a.ts', to: 'better-sqlite3' })).toContain('belongs to src/store');
  expect(complaint({ from: 'src/http/a.ts', to: 'electron' })).toContain('belongs to src/electron');
  expect(complaint({ from: 'src/daemon/daemon.ts', to: 'src/electron/a.ts' })).toContain('may not import');
  expect(complaint({ from: 'src/contract/a.ts', to: 'node:fs' })).toContain('typebox only');
  expect(complaint({ from: 'agent/main.ts', to: 'src/domain/a.ts' })).toContain('may not import');
});
