import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { askForSignInCode } from '../own-daemon/person-call.ts';
import type { DemoDaemon } from './daemon.ts';
import { openBrowserPerson } from './person.ts';
import { runDemo } from './run-demo.ts';

const HELP = `npm run demo: shows the whole life of a program that uses Handrail, in about two minutes

  --auto   a scripted person in a headless Chromium answers, and the demo ends by itself
  --help   this text
`;

const { values } = parseArgs({ options: { auto: { type: 'boolean' }, help: { type: 'boolean' } } });
const write = (text: string) => void process.stdout.write(text);

if (values.help) write(HELP);
else await run();

async function run(): Promise<void> {
  const stopped = new AbortController();
  // SIGHUP and a closed output mean that the terminal is gone; the daemon of the demo must not outlive it.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stopped.abort());
  process.stdout.on('error', () => stopped.abort());
  const { signal } = stopped;
  try {
    await runDemo({
      environment: process.env,
      write,
      isColoured: process.stdout.isTTY,
      signal,
      ...(values.auto ? { openPerson: openBrowserPerson } : { atTheStart: offerCodes }),
      atTheEnd: (daemon) => (values.auto ? Promise.resolve() : stay(daemon, signal)),
    });
    write('\nThe demo has ended. `npm start` starts Handrail itself.\n');
  } catch (error) {
    process.stderr.write(`handrail: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}

/** Enter prints a fresh sign-in code: the first one is good for one sign-in only. */
function offerCodes({ dataDirectory }: DemoDaemon): void {
  if (!process.stdin.isTTY) return;
  createInterface({ input: process.stdin }).on('line', () => {
    askForSignInCode(dataDirectory).then(
      (line) => write(`${line}\n`),
      (error: unknown) => write(`No code: ${String(error)}\n`),
    );
  });
}

/** Until Ctrl-C, or until the daemon ends by itself. */
async function stay({ base, ended }: DemoDaemon, signal: AbortSignal): Promise<void> {
  write(`\nThat was all. Look around: ${base}/#/overview shows the burst, Insights what Guardian noticed,\n`);
  write('Metrics how the day went, Activity every single request. Ctrl-C ends the demo and removes its data.\n');
  const stopped = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
  await Promise.race([stopped, ended]);
}
