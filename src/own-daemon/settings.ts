import { homedir } from 'node:os';
import { join } from 'node:path';

export type Settings = {
  /** 0 picks a free one. */
  port: number;
  dataDirectory: string;
  /** Where this daemon tells the other programs of its account that it runs; absent only in tests. */
  accountFolder?: string;
  logLevel: string;
  rateLimits: 'on' | 'off';
  /** OS users that are served besides the daemon's own and root, by name or uid. */
  allowOsUsers: string[];
  /** The person's own way to be called for a prompt; none unless it is set. */
  notify?: { command: string } | { address: string };
  /** A file of settings for `ssh`, in place of the person's own. */
  sshConfig?: string;
  /** Which tools MCP clients are offered, and how long their calls are held; absent: the usual ones. */
  mcp?: McpSettings;
};

type McpSettings = { tools: 'slim' | 'full'; waitSeconds: number };

const USUAL_MCP: McpSettings = { tools: 'full', waitSeconds: 25 };

/** A setting that cannot be used; the message names the setting, its value and the expected value. */
class InvalidSetting extends Error {
  override name = 'InvalidSetting';
}

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];

/** Reads the settings from the environment; a setting that is absent has a default that works. */
export function readSettings(environment: NodeJS.ProcessEnv, platform: NodeJS.Platform): Settings {
  const { HANDRAIL_PORT: port, HANDRAIL_DATA_DIR: dataDirectory, HANDRAIL_LOG_LEVEL: logLevel } = environment;
  return {
    port: port === undefined || port === '' ? 3001 : portOf(port),
    dataDirectory: dataDirectory || defaultDataDirectory(environment, platform),
    accountFolder: accountFolderOf(homedir()),
    logLevel: oneOf('HANDRAIL_LOG_LEVEL', logLevel || 'info', LOG_LEVELS),
    rateLimits:
      oneOf('HANDRAIL_RATE_LIMITS', environment.HANDRAIL_RATE_LIMITS || 'on', ['on', 'off']) === 'off' ? 'off' : 'on',
    allowOsUsers: osUsersOf(environment.HANDRAIL_ALLOW_OS_USERS ?? ''),
    ...(environment.HANDRAIL_NOTIFY ? { notify: notifyOf(environment.HANDRAIL_NOTIFY) } : {}),
    ...(environment.HANDRAIL_SSH_CONFIG ? { sshConfig: environment.HANDRAIL_SSH_CONFIG } : {}),
    mcp: {
      tools:
        oneOf('HANDRAIL_MCP_TOOLS', environment.HANDRAIL_MCP_TOOLS || USUAL_MCP.tools, ['slim', 'full']) === 'slim'
          ? 'slim'
          : 'full',
      waitSeconds: secondsOf(
        'HANDRAIL_MCP_WAIT_SECONDS',
        environment.HANDRAIL_MCP_WAIT_SECONDS || String(USUAL_MCP.waitSeconds),
      ),
    },
  };
}

/** The settings as a person reads them, each with the variable of the environment that changes it. */
export function describeSettings(settings: Settings): { variable: string; value: string; meaning: string }[] {
  const { port, dataDirectory, logLevel, allowOsUsers, rateLimits, notify, sshConfig, mcp = USUAL_MCP } = settings;
  return [
    {
      variable: 'HANDRAIL_PORT',
      value: port === 0 ? '0: any free port' : String(port),
      meaning: 'port to listen on; 0 picks a free one',
    },
    { variable: 'HANDRAIL_DATA_DIR', value: dataDirectory, meaning: 'folder of the database and the pictures' },
    {
      variable: 'HANDRAIL_LOG_LEVEL',
      value: logLevel,
      meaning: `least severe level that is logged: ${LOG_LEVELS.join(', ')}`,
    },
    {
      variable: 'HANDRAIL_ALLOW_OS_USERS',
      value: allowOsUsers.length === 0 ? 'none' : allowOsUsers.join(', '),
      meaning: 'other OS users of this machine that may call, by name or uid, with commas between them',
    },
    {
      variable: 'HANDRAIL_NOTIFY',
      value: notify === undefined ? 'none' : 'command' in notify ? notify.command : notify.address,
      meaning: 'your own program or address that is told when a request waits',
    },
    {
      variable: 'HANDRAIL_SSH_CONFIG',
      value: sshConfig ?? '~/.ssh/config',
      meaning: 'settings of ssh, by which your other machines are reached',
    },
    { variable: 'HANDRAIL_RATE_LIMITS', value: rateLimits, meaning: 'limits on calls; off only for benchmarks' },
    {
      variable: 'HANDRAIL_MCP_TOOLS',
      value: mcp.tools,
      meaning: 'tools for MCP clients: full, or slim for the usual ones',
    },
    {
      variable: 'HANDRAIL_MCP_WAIT_SECONDS',
      value: String(mcp.waitSeconds),
      meaning: 'longest time that a call of an MCP client waits for you',
    },
  ];
}

/** A line of help for each setting, with its default. */
export function settingLines(platform: NodeJS.Platform): string[] {
  const settings = describeSettings(readSettings({}, platform));
  return settings.map(({ variable, meaning, value }) => `  ${variable.padEnd(NAME_WIDTH)}${meaning} (${value})`);
}

const NAME_WIDTH = 27;

function portOf(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535)
    throw new InvalidSetting(`HANDRAIL_PORT should be 0 to 65535, and is "${text}".`);
  return port;
}

const MOST_WAIT_SECONDS = 120;

function secondsOf(name: string, text: string): number {
  const seconds = Number(text);
  if (/^\d{1,3}$/.test(text) && seconds <= MOST_WAIT_SECONDS) return seconds;
  throw new InvalidSetting(`${name} should be 0 to ${MOST_WAIT_SECONDS}, and is "${text}".`);
}

/** Set at the start only: a session of the dashboard must not be able to choose a program that runs outside of any sandbox. */
function notifyOf(text: string): { command: string } | { address: string } {
  if (text.startsWith('/') && !text.includes('\0')) return { command: text };
  const url = URL.parse(text);
  if (url?.protocol === 'https:' || url?.protocol === 'http:') return { address: url.href };
  throw new InvalidSetting(
    `HANDRAIL_NOTIFY should be the whole path of a program, or an address that begins with https:// or http://, and is "${text}".`,
  );
}

function osUsersOf(text: string): string[] {
  const users = text.split(/[\s,]+/).filter((user) => user !== '');
  const wrong = users.find((user) => !/^(\d{1,10}|[A-Za-z_][A-Za-z0-9._-]{0,63})$/.test(user));
  if (wrong === undefined) return users;
  throw new InvalidSetting(
    `HANDRAIL_ALLOW_OS_USERS should be names or uids of OS users with commas between them, and has "${wrong}".`,
  );
}

function oneOf(name: string, value: string, allowed: readonly string[]): string {
  if (!allowed.includes(value))
    throw new InvalidSetting(`${name} should be one of ${allowed.join(', ')}, and is "${value}".`);
  return value;
}

/** Where the daemons of an OS account say that they run, each with a note of its own, whatever its data directory is. */
export function accountFolderOf(home: string): string {
  return join(home, '.local/state/handrail/daemons');
}

function defaultDataDirectory(environment: NodeJS.ProcessEnv, platform: NodeJS.Platform): string {
  if (platform === 'darwin') {
    // The folder above is the `userData` of Electron, which keeps links there that a data directory must not have.
    return join(homedir(), 'Library', 'Application Support', 'Handrail', 'daemon');
  }
  return join(environment.XDG_DATA_HOME || join(homedir(), '.local', 'share'), 'handrail');
}

/** Said by `handrail doctor` and at each start of the daemon. */
export const RUNS_AS_ROOT =
  'Handrail runs as root: each file that a script or an action makes belongs to root, and each action has all rights of the machine.';
