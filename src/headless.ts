import { fstatSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { pino } from 'pino';
import { createClosing } from './closing.ts';
import { keepCompiledCode } from './compile-cache.ts';
import type { Daemon } from './daemon.ts';
import { tooOld } from './runtime.cjs';
import { readSettings } from './settings.ts';
import { openSignInSocket, signInSocketPath } from './sign-in-socket.ts';

type Closable = { close(): Promise<void> };

const problem = tooOld(process.versions.node);
if (problem !== undefined) {
  process.stderr.write(`handrail: ${problem} \`npm start\` runs it on the Node that \`npm ci\` installs.\n`);
  process.exit(1);
}

keepCompiledCode();

const HELP = `handrail: hands for scripts and agents on this desktop, under your eyes

  npm start              starts the daemon on http://127.0.0.1:3001, prints the dashboard's address and a sign-in code
  Enter                  in the daemon's terminal prints a fresh sign-in code
  npm run login          prints one when the daemon has no terminal
  Ctrl-C                 stops it

  HANDRAIL_PORT          port to listen on; 0 picks a free one            (3001)
  HANDRAIL_DATA_DIR      where it keeps its data                          (the system's place for it)
  HANDRAIL_LOG_LEVEL     trace, debug, info, warn, error, fatal, silent   (info)
  HANDRAIL_ALLOW_OS_USERS  other OS users that may call, by name or uid   (none)
  HANDRAIL_RATE_LIMITS   off lifts the rate limits, for benchmarks        (on)
  HANDRAIL_MCP_TOOLS     full or slim: the tools for MCP clients          (full)
  HANDRAIL_MCP_WAIT_SECONDS  longest wait of an MCP call for you          (25)
`;

const [argument] = process.argv.slice(2);
if (process.argv.includes('--help') || process.argv.includes('-h')) {
  process.stdout.write(HELP);
} else if (argument !== undefined) {
  process.stderr.write(
    `handrail: no argument ${JSON.stringify(argument)} is known; settings are variables of the environment, see npm start -- --help\n`,
  );
  process.exitCode = 1;
} else {
  await run();
}

async function run(): Promise<void> {
  try {
    const settings = readSettings(process.env, process.platform);
    // Loaded after the compile cache is on, so that the second start is fast, and only when the settings are good.
    const { startDaemon } = await import('./daemon.ts');
    const destination = pino.destination({ dest: 2, sync: true });
    // Without a listener a full disk under the log would throw wherever something is logged. There is nowhere to say it.
    destination.on('error', () => undefined);
    const log = pino({ level: settings.logLevel }, destination);
    if (settings.rateLimits === 'off') log.warn({}, 'rate limits are off: for benchmarks only');
    const daemon = await startDaemon({ settings, log, environment: process.env });
    const parts: Closable[] = [daemon];
    closeOnSignal(parts, log);
    const hasTerminal = process.stdin.isTTY && !isOutputStored();
    if (!hasTerminal) parts.unshift(await openLogin(daemon, settings.dataDirectory, log));
    const announceCode = () => process.stdout.write(`code ${daemon.createSignInCode()}\n`);
    process.stdout.write(`handrail listening on http://127.0.0.1:${daemon.port}\n`);
    process.stdout.write(`dashboard ${daemon.dashboardAddress}\n`);
    if (!isOutputStored()) announceCode();
    if (hasTerminal) createInterface({ input: process.stdin }).on('line', announceCode);
  } catch (error) {
    process.stderr.write(`handrail: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  }
}

/** Without a terminal a person asks for codes with `npm run login`. Where that cannot be offered the daemon serves all the same. */
async function openLogin(daemon: Daemon, dataDirectory: string, log: pino.Logger): Promise<Closable> {
  try {
    return await openSignInSocket(signInSocketPath(dataDirectory), () => {
      log.info({}, 'npm run login was given a fresh sign-in code');
      return daemon.createSignInCode();
    });
  } catch (error) {
    log.error({ err: error }, 'npm run login cannot be offered; start Handrail in a terminal for a sign-in code');
    return { close: async () => undefined };
  }
}

/** Whether standard output is a file or the system's journal, as with nohup or a service: no code may be stored there. */
function isOutputStored(): boolean {
  const stats = fstatSync(1);
  return stats.isFile() || process.env.JOURNAL_STREAM === `${stats.dev}:${stats.ino}`;
}

function closeOnSignal(parts: readonly Closable[], log: pino.Logger): void {
  const close = createClosing({
    close: async () => {
      const failed = (error: unknown) => log.error({ err: error }, 'closing failed');
      await Promise.all(parts.map((part) => part.close().catch(failed)));
    },
    exit: (code) => process.exit(code),
    nowMs: () => performance.now(),
  });
  process.on('SIGINT', close);
  process.on('SIGTERM', close);
}
