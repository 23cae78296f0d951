import { basename } from 'node:path';
import { folded, nearNames } from '../../../src/contract/near-names.ts';
import { commandOf, type DesktopEntry } from './desktop-entries.ts';
import type { XWindow } from './x-window.ts';

export type FoundEntry =
  | { kind: 'found'; entry: DesktopEntry }
  | { kind: 'ambiguous'; entries: DesktopEntry[] }
  | { kind: 'missing'; near: string[] };

/** Finds the app a person means: by desktop id, name, program, or a part of the name that only one app has. */
export function findEntry(wanted: string, entries: readonly DesktopEntry[]): FoundEntry {
  const name = folded(wanted);
  for (const rule of NAME_RULES) {
    const matching = plainest(entries.filter((entry) => rule(entry, name)));
    const [entry, ...others] = matching;
    if (entry !== undefined)
      return others.length === 0 ? { kind: 'found', entry } : { kind: 'ambiguous', entries: matching };
  }
  const suggested = entries.filter((entry) => !entry.noDisplay).map((entry) => entry.name);
  return { kind: 'missing', near: nearNames(wanted, suggested) };
}

/** The words of a window that tell its app. */
export type NamedWindow = Pick<XWindow, 'applicationId' | 'className' | 'instanceName'>;

/** The app a window belongs to, as far as its window properties tell. */
export function entryOfWindow(window: NamedWindow, entries: readonly DesktopEntry[]): DesktopEntry | null {
  for (const rule of WINDOW_RULES) {
    const [entry] = plainest(entries.filter((candidate) => rule(candidate, window)));
    if (entry !== undefined) return entry;
  }
  return null;
}

/** Whether two entries start one program, such as an app and its settings. */
export function isSameProgram(one: DesktopEntry, other: DesktopEntry): boolean {
  return programOf(one) === programOf(other);
}

type NameRule = (entry: DesktopEntry, name: string) => boolean;

/** The surest first. */
const NAME_RULES: readonly NameRule[] = [
  (entry, name) => folded(entry.id) === name || `${folded(entry.id)}.desktop` === name,
  (entry, name) => folded(entry.name) === name,
  (entry, name) => entry.names.some((other) => folded(other) === name),
  (entry, name) => programOf(entry) === name || lastPart(entry.id) === name,
  (entry, name) => !entry.noDisplay && entry.genericName !== null && folded(entry.genericName) === name,
  (entry, name) => !entry.noDisplay && hasWords(folded(entry.name), name),
];

type WindowRule = (entry: DesktopEntry, window: NamedWindow) => boolean;

const WINDOW_RULES: readonly WindowRule[] = [
  (entry, { applicationId }) => applicationId !== null && entry.id === applicationId,
  // The class identifies an app; the instance is often only the name of its program.
  (entry, { className }) => isNamed(className, entry.startupWmClass),
  (entry, { className }) => isNamed(className, entry.id) || isNamed(className, lastPart(entry.id)),
  (entry, { instanceName }) => isNamed(instanceName, entry.startupWmClass) || isNamed(instanceName, entry.id),
  (entry, { className }) => !entry.terminal && isNamed(className, programOf(entry)),
  (entry, { instanceName }) => !entry.terminal && isNamed(instanceName, programOf(entry)),
];

function isNamed(windowName: string, entryName: string | null): boolean {
  return windowName !== '' && entryName !== null && folded(windowName) === folded(entryName);
}

/** Prefers entries shown in menus, and among them the entries with the shortest command. */
function plainest(entries: DesktopEntry[]): DesktopEntry[] {
  const shown = entries.filter((entry) => !entry.noDisplay);
  const candidates = shown.length > 0 ? shown : entries;
  const lengths = candidates.map((entry) => (entry.exec === null ? 0 : commandOf(entry)?.length) ?? UNREADABLE);
  const shortest = Math.min(...lengths);
  return candidates.filter((_entry, index) => lengths[index] === shortest);
}

const UNREADABLE = Number.POSITIVE_INFINITY;

function programOf(entry: DesktopEntry): string {
  return folded(basename(commandOf(entry)?.[0] ?? ''));
}

function lastPart(id: string): string {
  return folded(id.slice(id.lastIndexOf('.') + 1));
}

function hasWords(name: string, wanted: string): boolean {
  const words = name.split(/[^\p{L}\p{N}+#]+/u);
  return wanted.split(' ').every((word) => words.includes(word));
}
