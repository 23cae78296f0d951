import type { StolenSession } from '../../contract/console-status.ts';
import type { JournalRow } from '../../store/journal/journal.ts';
import type { GrantRow } from '../../store/records/rules.ts';
import type { Context } from '../context.ts';
import type { AllowedFolders } from '../permissions/allowed-folders.ts';
import type { Grants } from '../permissions/grants.ts';
import type { Permissions } from '../permissions/permissions.ts';
import { visible } from '../prompt-words.ts';
import type { Requesters } from '../requesters/requesters.ts';
import { timestamp } from '../steady-clock.ts';
import { untilStored } from '../work/storage-failure.ts';

const STORED = 'stolenSession';
/** The page has one line for them; the button takes back those that are not told as well. */
const MOST_TOLD = 20;
const STRICTEST = 'lockdown';
const BECAUSE = 'its key or its pause was changed in a session that another program may have had';

/** The span in which a session was live whose sign-in code two programs had. */
type Span = { fromMs: number; toMs: number };
type Changes = { grants: GrantRow[]; folders: { userId: string; path: string }[]; rows: JournalRow[] };

export type StolenSessions = ReturnType<typeof createStolenSessions>;

type Parts = {
  grants: Pick<Grants, 'revoke'>;
  folders: Pick<AllowedFolders, 'remove'>;
  permissions: Pick<Permissions, 'list' | 'assign'>;
  requesters: Pick<Requesters, 'pause' | 'removeKey'>;
};

/** What was changed for the person while another program may have been signed in as them, until they have dealt with it. */
export function createStolenSessions(context: Context) {
  const { store, clock } = context;
  let span = spanIn(store.settings.get(STORED));
  let told: StolenSession | undefined = span && view(span);

  function changesIn({ fromMs, toMs }: Span): Changes {
    const isWithin = (atMs: number) => atMs >= fromMs && atMs <= toMs;
    return {
      grants: store.grants.live(clock.nowMs()).filter(({ createdAtMs }) => isWithin(createdAtMs)),
      folders: store.allowedFolders.list().filter(({ addedAtMs }) => isWithin(addedAtMs)),
      rows: store.journal.readBetween({ fromMs, toMs, kinds: Object.keys(WORDS) }),
    };
  }

  function view(of: Span): StolenSession | undefined {
    const { grants, folders, rows } = changesIn(of);
    const changes = [
      ...grants.map(({ literal }) => `Grant: ${literal}`),
      ...folders.map(({ userId, path }) => `Folder for “${userId}”: ${path}`),
      ...new Set(rows.map((row) => WORDS[row.kind]?.(row) ?? row.kind)),
    ];
    if (changes.length === 0) return undefined;
    const more = changes.length > MOST_TOLD ? [`and ${changes.length - MOST_TOLD} more`] : [];
    return { since: timestamp(of.fromMs), changes: [...changes.slice(0, MOST_TOLD).map(visible), ...more] };
  }

  function keep(next: Span | undefined): void {
    span = next;
    told = next && view(next);
    untilStored(context, () => store.write('durable', () => store.settings.set(STORED, span ?? null)));
  }

  return {
    /** The sessions of a code that was entered again were ended; the first of them began then. */
    ended(openedAtMs: number): void {
      keep({ fromMs: Math.min(openedAtMs, span?.fromMs ?? openedAtMs), toMs: clock.nowMs() });
    },
    view: (): StolenSession | undefined => told,
    /** The changes were the person's own. */
    keepAll: (): void => keep(undefined),
    /** Takes everything back. Where the state of before is not known, the strictest one stands in for it. */
    takeBack(parts: Parts): void {
      if (span === undefined) return;
      const { grants, folders, rows } = changesIn(span);
      for (const { id } of grants) parts.grants.revoke(id); // guard A25-1
      for (const folder of folders) parts.folders.remove(folder);
      takeBackProfiles(rows, parts);
      for (const userId of usersOf(rows.filter(({ kind }) => kind === 'requester.key_created')))
        parts.requesters.removeKey(userId);
      for (const userId of usersOf(rows)) parts.requesters.pause(userId, BECAUSE);
      keep(undefined);
    },
  };
}

function usersOf(rows: readonly JournalRow[]): Set<string> {
  return new Set(rows.flatMap(({ userId }) => userId ?? []));
}

/** Who got another profile gets the former one; who has a profile whose rules were changed gets the strictest one. */
function takeBackProfiles(rows: readonly JournalRow[], { permissions }: Parts): void {
  const named = rows.flatMap(({ kind, metadata }) =>
    kind === 'profile.assigned' ? [] : String(metadata.profile ?? ''),
  );
  const changed = new Set(named.filter((name) => name !== ''));
  const former = new Map<string, string>();
  for (const { kind, metadata } of rows) {
    const to = String(metadata.to);
    if (kind === 'profile.assigned' && !former.has(to)) former.set(to, String(metadata.from ?? STRICTEST));
  }
  const { items, assignments } = permissions.list();
  for (const { userId, profile } of assignments)
    if (changed.has(profile) && !former.has(userId)) former.set(userId, STRICTEST); // guard A25-2
  for (const [userId, profile] of former) {
    const isThere = items.some(({ name }) => name === profile) && !changed.has(profile);
    permissions.assign(userId, isThere ? profile : STRICTEST);
  }
}

/** The kinds of events by which a session makes more possible, and their words. */
const WORDS: Readonly<Record<string, (row: JournalRow) => string>> = {
  'profile.assigned': ({ metadata }) => `Profile of “${metadata.to}”: ${metadata.profile}`,
  'profile.changed': ({ metadata }) => `Rules of the profile ${metadata.profile}`,
  'profile.removed': ({ metadata }) => `Profile removed: ${metadata.profile}`,
  'requester.key_created': ({ userId }) => `New key for “${userId}”`,
  'requester.key_removed': ({ userId }) => `Key removed from “${userId}”`,
  'requester.resumed': ({ userId }) => `Resumed: “${userId}”`,
};

function spanIn(stored: unknown): Span | undefined {
  if (typeof stored !== 'object' || stored === null) return undefined;
  const { fromMs, toMs }: Partial<Record<string, unknown>> = { ...stored };
  return typeof fromMs === 'number' && typeof toMs === 'number' ? { fromMs, toMs } : undefined;
}
