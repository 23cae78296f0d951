import type { Failure } from '../../hands/acting.ts';
import { refused, stoppedInput } from '../../hands/input-outcome.ts';
import type { OpenUrlDesk } from '../../hands/open-url.ts';
import type { Applications } from '../applications.ts';
import type { Clock } from '../clock.ts';
import { readDesktop } from '../desktop-state.ts';
import { type Opener, openerOf } from '../opener.ts';
import { cleanEnvironment, howItEnded, type RunProgram } from '../run-script.ts';

const OPEN = '/usr/bin/open';
const OPEN_MS = 10_000;

export type OpenUrlNeeds = { run: RunProgram; clock: Clock; applications: Applications };

export function openUrlDesk(needs: OpenUrlNeeds): OpenUrlDesk<Opener> {
  const { run, clock } = needs;
  return {
    now: clock.now,
    wait: clock.wait,
    windows: (signal) => windowsNow(run, signal),
    openerOf: (scheme, signal) => openerOf(scheme, { ...needs, signal }),
    give: ({ url }, opener, signal) => give(url, opener, { run, signal }),
  };
}

/** To the app by its path, so that it is the one that was judged. */
async function give(
  url: string,
  opener: Opener | null,
  { run, signal }: { run: RunProgram; signal: AbortSignal },
): Promise<Failure | null> {
  const args = opener === null ? [url] : ['-a', opener.path, url];
  const environment = cleanEnvironment(process.env);
  const opened = await run({ program: OPEN, args, timeoutMs: OPEN_MS, environment, signal });
  if (signal.aborted) return stoppedInput(signal, 'The address may have been given to the browser.');
  if (opened.kind === 'exited' && opened.exitCode === 0) return null;
  return refused({ code: 'not_supported', message: `The address could not be opened: ${howItEnded(opened)}` });
}

async function windowsNow(run: RunProgram, signal: AbortSignal): Promise<string | undefined> {
  const state = await readDesktop(run, { parts: ['windows', 'apps'], signal });
  if (!state.ok) return undefined;
  const front = state.data.apps.find((app) => app.frontmost)?.pid;
  return JSON.stringify([front, state.data.windows.map(({ id, title }) => [id, title])]);
}
