import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { parse as parseJson } from 'jsonc-parser';
import { parse as parseToml } from 'smol-toml';
import { describe, expect, test } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { entryIn, withEntry } from '../../src/cli/connect/config-text.ts';
import { jsonText } from '../../src/cli/connect/json-text.ts';
import { tomlText } from '../../src/cli/connect/toml-text.ts';
import { yamlText } from '../../src/cli/connect/yaml-text.ts';
import { CONFIGS } from './configs.ts';
import { handrail, newHome, type World } from './rig.ts';

const ENTRY = { command: '/opt/node', args: ['/opt/hand rail/dist/daemon/cli.js', 'mcp'] };
/** Without the settings that would go into the entry. */
const PLAIN = { environment: {} };

function parserOf(file: string): (text: string) => unknown {
  if (file.endsWith('.toml')) return (text) => parseToml(text);
  return file.endsWith('.yaml') ? (text) => parseYaml(text) : (text) => parseJson(text);
}

function homeWith(file: string, text: string): { home: string; path: string } {
  const home = newHome();
  const path = join(home, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text, { mode: 0o640 });
  chmodSync(path, 0o640);
  return { home, path };
}

const connect = (client: string, world: World) => handrail(['connect', client, '--yes'], { ...PLAIN, ...world });
const disconnect = (client: string, world: World) => handrail(['disconnect', client, '--yes'], { ...PLAIN, ...world });

describe.each([
  ['claude-code', 'linux', '.claude.json', ['mcpServers'], { type: 'stdio', ...ENTRY }],
  ['claude-code', 'darwin', '.claude.json', ['mcpServers'], { type: 'stdio', ...ENTRY }],
  ['claude-desktop', 'linux', '.config/Claude/claude_desktop_config.json', ['mcpServers'], ENTRY],
  ['claude-desktop', 'darwin', 'Library/Application Support/Claude/claude_desktop_config.json', ['mcpServers'], ENTRY],
  ['cursor', 'linux', '.cursor/mcp.json', ['mcpServers'], ENTRY],
  ['cursor', 'darwin', '.cursor/mcp.json', ['mcpServers'], ENTRY],
  ['vscode', 'linux', '.config/Code/User/mcp.json', ['servers'], { type: 'stdio', ...ENTRY }],
  ['vscode', 'darwin', 'Library/Application Support/Code/User/mcp.json', ['servers'], { type: 'stdio', ...ENTRY }],
  ['codex', 'linux', '.codex/config.toml', ['mcp_servers'], ENTRY],
  ['codex', 'darwin', '.codex/config.toml', ['mcp_servers'], ENTRY],
  [
    'goose',
    'darwin',
    '.config/goose/config.yaml',
    ['extensions'],
    expect.objectContaining({ cmd: ENTRY.command, args: ENTRY.args, type: 'stdio', enabled: true, envs: {} }),
  ],
  ['goose', 'linux', '.config/goose/config.yaml', ['extensions'], expect.objectContaining({ cmd: ENTRY.command })],
] as const)('%s on %s', (client, platform, file, ...[[servers], entry]) => {
  const parse = parserOf(file);

  test('gets a file of its own where it has none, private, and a second time changes nothing', async () => {
    const home = newHome();
    expect(await connect(client, { home, platform })).toMatchObject({
      code: 0,
      output: expect.stringMatching(
        /is connected\..* `node '\/opt\/hand rail\/src\/launch\/handrail\.cjs' disconnect [a-z-]+` takes it back\./s,
      ),
    });
    const path = join(home, file);
    const text = readFileSync(path, 'utf8');
    expect(JSON.parse(JSON.stringify(parse(text)))).toEqual({ [servers]: { handrail: entry } });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(await connect(client, { home, platform })).toMatchObject({
      code: 0,
      output: expect.stringContaining('already'),
    });
    expect(readFileSync(path, 'utf8')).toBe(text);
    expect(readdirSync(dirname(path))).toHaveLength(1);
  });
});

describe.each(CONFIGS)('$client with $name', ({ client, file, servers, text }) => {
  const parse = parserOf(file);
  const values = (written: string) => JSON.parse(JSON.stringify(parse(written) ?? {}));

  test('keeps every other byte, and disconnect gives the same file back', async () => {
    const { home, path } = homeWith(file, text);
    expect(await connect(client, { home })).toMatchObject({ code: 0 });
    const connected = readFileSync(path, 'utf8');
    const before = values(text);
    const after = values(connected);
    expect(Object.keys(after[servers])).toContain('handrail');
    const { handrail: _own, ...others } = after[servers];
    expect({ ...after, [servers]: others }).toEqual({ ...before, [servers]: before[servers] ?? {} });
    expect(missing(text, connected)).toBe('');
    expect(statSync(path).mode & 0o777).toBe(0o640);

    await connect(client, { home });
    expect(readFileSync(path, 'utf8')).toBe(connected);

    expect(await disconnect(client, { home })).toMatchObject({ code: 0 });
    const back = readFileSync(path, 'utf8');
    if (before[servers] === undefined) expect({ [servers]: {}, ...values(back) }).toEqual({ ...before, [servers]: {} });
    else expect(back).toBe(text);
    expect(await disconnect(client, { home })).toMatchObject({
      code: 0,
      output: expect.stringContaining('is not connected'),
    });
  });

  test('is updated in place when Handrail has moved', async () => {
    const { home, path } = homeWith(file, text);
    await connect(client, { home });
    const self = { command: '/new/node', args: ['/new/src/cli/main.ts'] };
    expect(await connect(client, { home, self })).toMatchObject({ code: 0 });
    const moved = readFileSync(path, 'utf8');
    expect(moved).toContain('/new/src/cli/main.ts');
    expect(moved).not.toContain('/opt/hand rail');
    expect(missing(text, moved)).toBe('');
    await disconnect(client, { home });
    expect(missing(text, readFileSync(path, 'utf8'))).toBe('');
  });
});

test.each(CONFIGS)('$client with $name: a server that the person added later stays at disconnect', async (config) => {
  const { client, file, servers, text } = config;
  const format = file.endsWith('.toml') ? tomlText : file.endsWith('.yaml') ? yamlText : jsonText;
  const { home, path } = homeWith(file, text);
  await connect(client, { home });
  const later = { servers, name: 'later', entry: { command: 'x', enabled: true } };
  writeFileSync(path, withEntry(format, readFileSync(path, 'utf8'), later));
  expect(await disconnect(client, { home })).toMatchObject({ code: 0 });
  const left = readFileSync(path, 'utf8');
  expect(entryIn(format, left, { servers, name: 'later' })).toEqual(later.entry);
  expect(format.parse(left)).toEqual(format.parse(withEntry(format, text, later)));
});

/** What is missing when one block of text, and a comma in front of it, are taken out of the other text again. Nothing, if all is well. */
function missing(text: string, other: string): string {
  const shared = prefixOf(text, other);
  const rest = other[shared] === ',' ? [other, other.slice(0, shared) + other.slice(shared + 1)] : [other];
  const kept = rest.map((candidate) => {
    const front = prefixOf(text, candidate);
    const back = prefixOf(reversed(text), reversed(candidate));
    return front + Math.min(back, text.length - front);
  });
  const most = Math.max(...kept);
  // An empty list in braces is opened.
  return most >= text.length ? '' : text.slice(prefixOf(text, other)).replace(/^ ?\{\}[\s\S]*/, '');
}

function prefixOf(one: string, other: string): number {
  const at = [...one].findIndex((character, index) => character !== other[index]);
  return at === -1 ? one.length : at;
}

function reversed(text: string): string {
  return [...text].reverse().join('');
}

describe('a file that cannot be changed safely', () => {
  test.each([
    ['claude-code', '.claude.json', '{ "mcpServers": { "a": ', 'cannot be read'],
    ['claude-code', '.claude.json', '[1, 2]', 'should have a member'],
    ['claude-code', '.claude.json', '{ "mcpServers": [] }', '"mcpServers" should have a member'],
    ['claude-code', '.claude.json', '{ "mcpServers": {}, "mcpServers": {"a": {}} }', 'cannot be changed safely'],
    ['codex', '.codex/config.toml', 'model = "x\n[mcp_servers.a]\n', 'cannot be read'],
    ['codex', '.codex/config.toml', 'mcp_servers = { a = { command = "b" } }\n', 'cannot be changed safely'],
    ['goose', '.config/goose/config.yaml', 'extensions:\n  a: [1\n', 'cannot be read'],
    ['goose', '.config/goose/config.yaml', 'extensions: { a: { enabled: true } }\n', 'cannot be changed safely'],
    ['goose', '.config/goose/config.yaml', 'extensions:\n  - a\n', '"extensions" should have a member'],
  ])('%s: %s with %j is left as it is: %s', async (client, file, text, why) => {
    const { home, path } = homeWith(file, text);
    expect(await connect(client, { home })).toMatchObject({ code: 1, errors: expect.stringContaining(why) });
    expect(readFileSync(path, 'utf8')).toBe(text);
  });

  test('bytes that are no UTF-8 are left as they are', async () => {
    const { home, path } = homeWith('.cursor/mcp.json', '');
    writeFileSync(path, Buffer.from([0x7b, 0xff, 0x7d]));
    expect(await connect('cursor', { home })).toMatchObject({ code: 1, errors: expect.stringContaining('UTF-8') });
    expect(readFileSync(path)).toEqual(Buffer.from([0x7b, 0xff, 0x7d]));
  });

  test('a server of another program under our name stays, at connect and at disconnect', async () => {
    const text = '{ "mcpServers": { "handrail": { "command": "railing", "args": ["serve"] } } }';
    const { home, path } = homeWith('.cursor/mcp.json', text);
    for (const run of [connect, disconnect])
      expect(await run('cursor', { home })).toMatchObject({
        code: 1,
        errors: expect.stringContaining('another server of the name'),
      });
    expect(readFileSync(path, 'utf8')).toBe(text);
  });
});

describe('the file itself', () => {
  test('a link stays a link, and the file that it leads to is changed', async () => {
    const home = newHome();
    mkdirSync(join(home, 'dotfiles'));
    writeFileSync(join(home, 'dotfiles/claude.json'), '{}\n', { mode: 0o600 });
    symlinkSync('dotfiles/claude.json', join(home, '.claude.json'));
    expect(await connect('claude-code', { home })).toMatchObject({ code: 0 });
    expect(lstatSync(join(home, '.claude.json')).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(home, 'dotfiles/claude.json'), 'utf8')).toContain('handrail');
    expect(readdirSync(join(home, 'dotfiles'))).toEqual(['claude.json']);
  });

  test('a link that leads to a file which is not there yet gets that file', async () => {
    const home = newHome();
    symlinkSync(join(home, 'later.json'), join(home, '.claude.json'));
    expect(await connect('claude-code', { home })).toMatchObject({ code: 0 });
    expect(lstatSync(join(home, '.claude.json')).isSymbolicLink()).toBe(true);
    expect(existsSync(join(home, 'later.json'))).toBe(true);
  });

  test('a circle of links is refused', async () => {
    const home = newHome();
    symlinkSync('.other.json', join(home, '.claude.json'));
    symlinkSync('.claude.json', join(home, '.other.json'));
    expect(await connect('claude-code', { home })).toMatchObject({
      code: 1,
      errors: expect.stringContaining('circle'),
    });
  });

  test.each([
    ['claude-code', 'CLAUDE_CONFIG_DIR', '.claude.json'],
    ['codex', 'CODEX_HOME', 'config.toml'],
  ])('of %s is where %s says', async (client, name, file) => {
    const home = newHome();
    await connect(client, { home, environment: { [name]: join(home, 'elsewhere') } });
    expect(existsSync(join(home, 'elsewhere', file))).toBe(true);
  });
});

describe('asking first', () => {
  const shown = '+       "command": "/opt/node"';

  test('the change is shown, and "y" writes it', async () => {
    const home = newHome();
    const { code, errors } = await handrail(['connect', 'cursor'], { home, ...PLAIN, isTerminal: true, typed: 'y\n' });
    expect({ code, errors }).toEqual({ code: 0, errors: expect.stringContaining(shown) });
    expect(errors).toContain(join(home, '.cursor/mcp.json'));
    expect(existsSync(join(home, '.cursor/mcp.json'))).toBe(true);
  });

  test.each(['\n', 'n\n', 'yep\n'])('%j writes nothing', async (typed) => {
    const home = newHome();
    expect(await handrail(['connect', 'cursor'], { home, isTerminal: true, typed })).toMatchObject({ code: 1 });
    expect(readdirSync(home)).toEqual([]);
  });

  test('without a terminal nobody can be asked, so nothing is written and the way out is named', async () => {
    const home = newHome();
    const { code, errors } = await handrail(['connect', 'cursor'], { home });
    expect({ code, errors }).toEqual({ code: 2, errors: expect.stringContaining('--yes') });
    expect(readdirSync(home)).toEqual([]);
  });

  test('--print prints the entry and writes nothing', async () => {
    const home = newHome();
    const { code, output } = await handrail(['connect', 'codex', '--print'], { home, ...PLAIN });
    expect(code).toBe(0);
    expect(parseToml(output)).toEqual({ mcp_servers: { handrail: ENTRY } });
    expect(readdirSync(home)).toEqual([]);
  });

  test('a key of another server is not shown', async () => {
    const { home } = homeWith('.cursor/mcp.json', '{"mcpServers":{"github":{"env":{"TOKEN":"ghp_secret"}}}}');
    const { output, errors } = await connect('cursor', { home });
    expect(output + errors).not.toContain('ghp_secret');
  });
});

test('settings that lead to another daemon go into the entry', async () => {
  const environment = { HANDRAIL_DATA_DIR: '/data', HANDRAIL_PORT: '4000', HANDRAIL_MCP_TOOLS: 'full', SECRET: 'x' };
  const { output } = await handrail(['connect', 'cursor', '--print'], { environment });
  expect(JSON.parse(output).mcpServers.handrail.env).toEqual({
    HANDRAIL_DATA_DIR: '/data',
    HANDRAIL_PORT: '4000',
    HANDRAIL_MCP_TOOLS: 'full',
  });
});

test('a client that does not exist is a fault of usage that names the others', async () => {
  const { code, errors } = await handrail(['connect', 'emacs']);
  expect(code).toBe(2);
  expect(errors).toContain('claude-code, claude-desktop, cursor, vscode, codex, goose');
});

test('--json tells the file and whether it was changed', async () => {
  const home = newHome();
  const run = () => handrail(['connect', 'cursor', '--yes', '--json'], { home, ...PLAIN });
  const told = { client: 'cursor', file: join(home, '.cursor/mcp.json'), entry: ENTRY };
  expect(JSON.parse((await run()).output)).toEqual({ ...told, isChanged: true });
  expect(JSON.parse((await run()).output)).toEqual({ ...told, isChanged: false });
});
