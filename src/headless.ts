import { fstatSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { createInterface } from 'node:readline';
import { pino } from 'pino';
import type { Daemon } from './daemon.ts';

type Closable = { close(): Promise<void> };

enableCompileCache();
// Loaded after the compile cache is on, so that the second start is fast.
const { startDaemon } = await import('./daemon.ts');
const { readSettings } = await import('./settings.ts');
const { openSignInSocket, signInSocketPath } = await import('./sign-in-socket.ts');

const HELP = `handrail: hands for scripts and agents on this desktop, under your eyes

  npm start              starts the daemon on http://127.0.0.1:3001, prints the dashboard's address and a sign-in code
  Enter                  in the daemon's terminal prints a fresh sign-in code
  npm run login          prints one when the daemon has no terminal
  Ctrl-C                 stops it

  HANDRAIL_PORT          port to listen on; 0 picks a free one            (3001)
  HANDRAIL_DATA_DIR      where it keeps its data                          (the system's place for it)
  HANDRAIL_LOG_LEVEL     trace, debug, info, warn, error, fatal, silent   (info)
  HANDRAIL_RATE_LIMITS   off lifts the rate limits, for benchmarks        (on)
`;

/** How long closing may take before the process ends anyway. */
const CLOSE_WITHIN_MS = 10_000;

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
  let closing = false;
  const close = (signal: NodeJS.Signals) => {
    if (closing) process.exit(1);
    closing = true;
    setTimeout(() => process.exit(0), CLOSE_WITHIN_MS).unref();
    const closed = parts.map((part) =>
      part.close().catch((error: unknown) => log.error({ err: error, signal }, 'closing failed')),
    );
    void Promise.all(closed).finally(() => process.exit(0));
  };
  process.on('SIGINT', close);
  process.on('SIGTERM', close);
}
