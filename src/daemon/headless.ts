import { fstatSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { type DestinationStream, pino } from 'pino';
import { desktopWords } from '../agent-host/virtual-desktop/agent-desktop.ts';
import { keepCompiledCode } from '../launch/compile-cache.ts';
import { closeInheritedDescriptors } from '../launch/inherited-descriptors.cjs';
import { tooOld } from '../launch/runtime.cjs';
import { useSafePath } from '../launch/safe-path.ts';
import { isOwnWindowOpen, openOwnWindow } from '../own-daemon/own-window.ts';
import { readSettings, settingLines } from '../own-daemon/settings.ts';
import { createClosing } from './closing.ts';
import { printPrompts, readableLog } from './terminal.ts';

/** A code that nobody needs would lie open in the terminal for ten minutes. */
const GOES_ON = 'sign-in your session goes on; Enter prints a code for another window\n';
const WAY_TO_A_CODE = 'sign-in `handrail login` (from a clone `npm run login`) prints a code\n';

const problem = tooOld(process.versions.node);
if (problem !== undefined) {
  process.stderr.write(`handrail: ${problem} \`npm start\` runs it on the Node that \`npm ci\` installs.\n`);
  process.exit(1);
}

closeInheritedDescriptors();
useSafePath();
keepCompiledCode();

const help = (): string => `handrail: hands for scripts and agents on this desktop, under your eyes

  npm start              starts the daemon on http://127.0.0.1:3001, prints the dashboard's address and a sign-in code
  Enter                  in the daemon's terminal prints a fresh sign-in code, and opens the dashboard
  npm run login          prints one when the daemon has no terminal
  Ctrl-C                 stops it
  --json                 logs JSON lines on a terminal, too

Settings, as variables of the environment:
${settingLines(process.platform).join('\n')}
`;

const JSON_LOG = '--json';
const words = process.argv.slice(2);
const unknown = words.find((word) => word !== JSON_LOG);
if (words.includes('--help') || words.includes('-h')) {
  process.stdout.write(help());
} else if (unknown !== undefined) {
  process.stderr.write(
    `handrail: no argument ${JSON.stringify(unknown)} is known; settings are variables of the environment, see --help\n`,
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
    const log = pino({ level: settings.logLevel }, logDestination());
    if (settings.rateLimits === 'off') log.warn({}, 'rate limits are off: for benchmarks only');
    const hasTerminal = process.stdin.isTTY && !isOutputStored();
    const daemon = await startDaemon({ settings, log, environment: process.env, commandLine: { hasTerminal } });
    closeOnSignal(daemon, log);
    const announceCode = () => process.stdout.write(`code ${daemon.createSignInCode()}\n`);
    process.stdout.write(`handrail listening on http://127.0.0.1:${daemon.port}\n`);
    process.stdout.write(`dashboard ${daemon.dashboardAddress}\n`);
    if (isOutputStored()) process.stdout.write(WAY_TO_A_CODE);
    // guard A24-1
    else if (hasTerminal && daemon.isSignedIn()) process.stdout.write(GOES_ON);
    else announceCode();
    process.stdout.write(`desktop ${desktopWords(process.platform, process.env)}\n`);
    // A pipe may be stored by the program at its other end.
    if (process.stdout.isTTY) {
      const print = (line: string) => void process.stdout.write(line);
      printPrompts({ person: daemon.person, address: daemon.dashboardAddress, print, nowMs: () => performance.now() });
    }
    const wish = { dataDirectory: settings.dataDirectory, address: daemon.dashboardAddress };
    if (hasTerminal) {
      announceWindow(wish);
      createInterface({ input: process.stdin }).on('line', () => {
        announceCode();
        announceWindow(wish);
      });
    }
  } catch (error) {
    // Loaded only here: a daemon that starts needs none of it.
    const { startFailureWords } = await import('../own-daemon/running-daemon.ts');
    process.stderr.write(`handrail: ${await startFailureWords(error)}\n`);
    process.exit(1);
  }
}

/** Opens the dashboard in a window of its own, unless there is one. */
function announceWindow(wish: Parameters<typeof openOwnWindow>[0]): void {
  if (isOwnWindowOpen(wish.dataDirectory, process.platform)) return;
  const opened = openOwnWindow(wish, { platform: process.platform, environment: process.env });
  if (opened === undefined) return;
  const words = 'browser' in opened ? `the dashboard opens in ${opened.browser}; type the code there` : opened.because;
  process.stdout.write(`window ${words}\n`);
}

/** Readable lines on a terminal, elsewhere JSON lines. */
function logDestination(): DestinationStream {
  const destination = pino.destination({ dest: 2, sync: true });
  // Without a listener a full disk under the log would throw wherever something is logged. There is nowhere to say it.
  destination.on('error', () => undefined);
  if (!process.stderr.isTTY || words.includes(JSON_LOG)) return destination;
  const isColoured = !process.env.NO_COLOR && process.env.TERM !== 'dumb';
  return readableLog((text) => void destination.write(text), { isColoured });
}

/** Whether standard output is a file or the system's journal, as with nohup or a service: no code may be stored there. */
function isOutputStored(): boolean {
  const stats = fstatSync(1);
  return stats.isFile() || process.env.JOURNAL_STREAM === `${stats.dev}:${stats.ino}`;
}

function closeOnSignal(daemon: { close(): Promise<void> }, log: pino.Logger): void {
  const close = createClosing({
    close: () => daemon.close().catch((error: unknown) => log.error({ err: error }, 'closing failed')),
    exit: (code) => process.exit(code),
    nowMs: () => performance.now(),
  });
  process.on('SIGINT', close);
  process.on('SIGTERM', close);
}
