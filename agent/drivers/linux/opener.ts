import type { ResolvedApp } from '../../../src/contract/screen.ts';
import type { WebAddress } from '../../../src/contract/web-address.ts';
import { resolvedApp } from '../apps/resolved-risk.ts';
import { runProgram } from '../exec.ts';
import type { DesktopEntries } from './desktop-entries.ts';
import type { DesktopEntry } from './desktop-entry-file.ts';
import { identityOf } from './entry-identity.ts';
import { takesAddress } from './exec-line.ts';
import { appEnvironment } from './launch.ts';

export type Opener = { entry: DesktopEntry; app: ResolvedApp };
export type OpenerSources = { entries: DesktopEntries; environment: NodeJS.ProcessEnv; signal: AbortSignal };

const QUERY_MS = 2_000;

/**
 * The app that is set to open the addresses of a scheme, as `xdg-mime` tells it to `xdg-open`. Null where none is set, and for an app that
 * Handrail could not start itself with an address: one in a terminal, one that only D-Bus starts. Mail is not looked up.
 */
export async function openerOf(scheme: WebAddress['scheme'], sources: OpenerSources): Promise<Opener | null> {
  if (scheme === 'mailto') return null;
  const { entries, environment, signal } = sources;
  const answer = await runProgram({
    program: 'xdg-mime',
    args: ['query', 'default', `x-scheme-handler/${scheme}`],
    timeoutMs: QUERY_MS,
    environment: appEnvironment(environment),
    signal,
  });
  if (answer.kind !== 'exited' || answer.exitCode !== 0) return null;
  const file = answer.stdout.trim();
  const entry = (await entries.list()).find(({ id }) => `${id}.desktop` === file);
  if (entry === undefined || entry.terminal || !takesAddress(entry)) return null;
  return { entry, app: resolvedApp(await identityOf(entry, environment)) };
}
