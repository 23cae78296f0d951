import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { WebAddress } from '../../../../src/contract/web-address.ts';
import { refused } from '../../hands/input-outcome.ts';
import type { OpenUrlDesk } from '../../hands/open-url.ts';
import { type DesktopEntries, isExecutable } from '../desktop-entries.ts';
import { appEnvironment, launch } from '../launch.ts';
import { type Opener, openerOf } from '../opener.ts';
import { withoutDisplay } from '../without-display.ts';
import type { X11 } from '../x11.ts';
import { pauseUnless } from './acting.ts';

/** The programs that open an address where the app for it is not known; both take it as one argument. */
const OPENERS: readonly (readonly [program: string, ...args: string[]])[] = [['xdg-open'], ['gio', 'open']];

export type OpenUrlNeeds = {
  x11: X11;
  entries: DesktopEntries;
  environment: NodeJS.ProcessEnv;
  /** For startup notification: a text nobody else uses. */
  uniqueId(): string;
};

export function openUrlDesk(needs: OpenUrlNeeds): OpenUrlDesk<Opener> {
  return {
    now: () => performance.now(),
    wait: (ms, signal) => pauseUnless(signal, ms),
    async windows() {
      const desktop = await needs.x11.desktop();
      if (!desktop.ok) return refused(withoutDisplay(desktop.reason));
      return JSON.stringify(desktop.value.windows.map(({ id, title, focused }) => [id, title, focused]));
    },
    openerOf: (scheme, signal) => openerOf(scheme, { ...needs, signal }),
    give: (address, opener) => give(address, opener, needs),
  };
}

async function give({ url }: WebAddress, opener: Opener | null, { environment, uniqueId }: OpenUrlNeeds) {
  if (opener === null) {
    const program = await programThatOpens(environment);
    return program !== undefined && (await start(program, url, environment)) ? null : refused(NO_OPENER);
  }
  const startupId = `handrail-${uniqueId()}`;
  const result = await launch({ entry: opener.entry, startupId, environment, address: url });
  if (result.ok) return null;
  const message = `${opener.app.appName} is set to open the address, but it cannot be started: ${result.reason}.`;
  return refused({ code: 'app_not_found', message });
}

async function programThatOpens(environment: NodeJS.ProcessEnv) {
  for (const opener of OPENERS) if (await isExecutable(opener[0], environment)) return opener;
  return undefined;
}

async function start([program, ...args]: readonly [string, ...string[]], url: string, environment: NodeJS.ProcessEnv) {
  const child = spawn(program, [...args, url], { detached: true, stdio: 'ignore', env: appEnvironment(environment) });
  const started = await Promise.race([once(child, 'spawn').then(() => true), once(child, 'error').then(() => false)]);
  child.on('error', () => undefined);
  child.unref();
  return started;
}

const NO_OPENER = {
  code: 'not_supported',
  message: 'Neither xdg-open nor gio could be started to open the address.',
  fix: 'Install xdg-utils.',
} as const;
