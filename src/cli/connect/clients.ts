import { join } from 'node:path';
import type { Surroundings } from '../surroundings.ts';

type Place = Pick<Surroundings, 'environment' | 'platform' | 'home'>;

/** How a client starts a server on standard input and output. */
export type ServerEntry = { command: string; args: readonly string[]; env: Readonly<Record<string, string>> };

/** An MCP client and the file in which it keeps the servers that it starts. */
export type McpClient = {
  name: string;
  title: string;
  format: 'json' | 'toml' | 'yaml';
  file(place: Place): string;
  /** The member of the file that has a member for each server. */
  servers: string;
  /** The entry in this client's own shape. */
  shape(entry: ServerEntry): Record<string, unknown>;
  /** Tells the person how the client reads the file again. */
  next: string;
};

export const CLIENTS: readonly McpClient[] = [
  {
    name: 'claude-code',
    title: 'Claude Code',
    format: 'json',
    file: ({ environment, home }) => join(environment.CLAUDE_CONFIG_DIR || home, '.claude.json'),
    servers: 'mcpServers',
    shape: typed,
    next: 'Start a new session of `claude`.',
  },
  {
    name: 'claude-desktop',
    title: 'Claude Desktop',
    format: 'json',
    file: (place) => join(applicationSettings(place), 'Claude', 'claude_desktop_config.json'),
    servers: 'mcpServers',
    shape: plain,
    next: 'Quit Claude Desktop and open it again.',
  },
  {
    name: 'cursor',
    title: 'Cursor',
    format: 'json',
    file: ({ home }) => join(home, '.cursor', 'mcp.json'),
    servers: 'mcpServers',
    shape: plain,
    next: 'Cursor reads it at once; Settings → MCP shows it.',
  },
  {
    name: 'vscode',
    title: 'VS Code',
    format: 'json',
    file: (place) => join(applicationSettings(place), 'Code', 'User', 'mcp.json'),
    servers: 'servers',
    shape: typed,
    next: 'In VS Code, run "MCP: List Servers" and start handrail.',
  },
  {
    name: 'codex',
    title: 'Codex',
    format: 'toml',
    file: ({ environment, home }) => join(environment.CODEX_HOME || join(home, '.codex'), 'config.toml'),
    servers: 'mcp_servers',
    shape: plain,
    next: 'Start a new session of `codex`.',
  },
  {
    name: 'goose',
    title: 'Goose',
    format: 'yaml',
    file: ({ environment, home }) => join(environment.XDG_CONFIG_HOME || join(home, '.config'), 'goose', 'config.yaml'),
    servers: 'extensions',
    shape: ({ command, args, env }) => ({
      enabled: true,
      type: 'stdio',
      name: 'handrail',
      description: 'Hands on this desktop, under your eyes',
      cmd: command,
      args,
      envs: env,
      timeout: 300,
    }),
    next: 'Start a new session of Goose.',
  },
];

/** The name of the server in every file. */
export const SERVER = 'handrail';

function plain({ command, args, env }: ServerEntry): Record<string, unknown> {
  return { command, args, ...(Object.keys(env).length === 0 ? {} : { env }) };
}

function typed(entry: ServerEntry): Record<string, unknown> {
  return { type: 'stdio', ...plain(entry) };
}

function applicationSettings({ environment, platform, home }: Place): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support');
  return environment.XDG_CONFIG_HOME || join(home, '.config');
}

/** Whether an entry of a file starts a Handrail, of this or of another installation. Any other of the same name is left alone. */
export function isOwnEntry(entry: unknown): boolean {
  if (typeof entry !== 'object' || entry === null) return false;
  const members = Object.fromEntries(Object.entries(entry));
  const args: unknown[] = Array.isArray(members.args) ? members.args : [];
  const words = [members.command ?? members.cmd, ...args].map(String);
  return (
    words.at(-1) === 'mcp' &&
    /(^|\/)(handrail(\.cjs)?|dist\/daemon\/cli\.js|src\/cli\/main\.ts)$/.test(words.at(-2) ?? '')
  );
}
