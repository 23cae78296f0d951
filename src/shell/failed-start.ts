import type { RunningDaemon, StartFailure } from '../own-daemon/running-daemon.ts';

/** The dialog for an app that cannot start. With `dashboardAddress` its first button opens that dashboard. */
export type FailedStart = { message: string; detail: string; buttons: string[]; dashboardAddress?: string };

type Facts = { failure: StartFailure; running: RunningDaemon | undefined; port: number; reason: string };

/** `reason` is the message of the error. The first button is the default; with an address, it opens that. */
export function failedStart({ failure, running, port, reason }: Facts): FailedStart {
  if (failure !== 'other' && running !== undefined) {
    return {
      message: 'Handrail is running already, in a terminal',
      detail: `Its dashboard is at ${running.dashboardAddress}. To use the app, stop that one with Ctrl-C first. The dashboard asks for a code: press Enter in that terminal for a fresh one.`,
      buttons: ['Open its dashboard', 'Quit'],
      dashboardAddress: running.dashboardAddress,
    };
  }
  if (failure === 'port') {
    return {
      message: `Another program uses port ${port}`,
      detail: `Handrail answers on 127.0.0.1:${port} and never moves to another port by itself. Stop the other program, or set HANDRAIL_PORT. \`lsof -nP -iTCP:${port} -sTCP:LISTEN\` in a terminal names it.`,
      buttons: ['Quit'],
    };
  }
  return { message: 'Handrail cannot start', detail: reason, buttons: ['Quit'] };
}
