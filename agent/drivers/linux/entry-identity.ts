import { basename } from 'node:path';
import type { AppRisk } from '../../../src/contract/screen.ts';
import type { AppIdentity } from '../apps/resolved-risk.ts';
import type { DesktopEntry } from './desktop-entry-file.ts';
import { entryRisks } from './entry-risks.ts';
import { programsOf } from './exec-programs.ts';

/** Every name that identifies an app, with links followed, and the risks that its entry shows beside its names. */
export async function identityOf(entry: DesktopEntry, environment: NodeJS.ProcessEnv): Promise<AppIdentity> {
  const programs = await programsOf(entry, environment);
  const names = [
    entry.id,
    entry.genericName,
    entry.startupWmClass,
    entry.tryExec === null ? null : basename(entry.tryExec),
    ...programs.flatMap(({ names: links }) => links),
  ];
  const risks: AppRisk[] = await entryRisks(entry, programs, environment);
  const alsoKnownAs = [...new Set(names.filter((name) => name !== null))];
  const isBrowser = entry.categories.includes('WebBrowser');
  return { name: entry.name, bundleId: entry.id, alsoKnownAs, risks, isBrowser };
}
