import { RENEWAL, type Renewal } from '../../store/database/renewal.ts';
import type { Context } from '../context.ts';
import type { Refusal } from '../refusal.ts';
import type { EmergencyStop } from './emergency-stop.ts';

export type StorageWatch = ReturnType<typeof createStorageWatch>;

const MOVED: Refusal = {
  refused: 'paused',
  detail:
    'The database of Handrail was removed, replaced or moved, so nothing would be recorded. It goes on when the person has put it back and started Handrail again.',
};

/**
 * Watches whether the database is still where it was opened. After that nothing is taken or sent until the next start, and the
 * agent is told to stop running actions: nothing may be done without a record.
 */
export function createStorageWatch({ store, log }: Context, { stop }: { stop: Pick<EmergencyStop, 'pause'> }) {
  let isSaid = false;

  function stopEverything(): void {
    isSaid = true;
    log.error({ dataDirectory: store.path }, `${MOVED.detail} Everything is stopped.`);
    stop.pause(); // guard S6-2
  }

  return {
    /** Anchors the end of the journal where the database is in its place. To be called every now and then. */
    look(): void {
      if (!store.isMoved()) store.anchor();
      else if (!isSaid) stopEverything();
    },
    /** By what was found before: the storage looks by itself at each change. */
    refusal: (): Refusal | undefined => (store.wasMoved() ? MOVED : undefined),
    /** Whether the person has still to read that the database was renewed. */
    isRenewed: (): boolean => renewalIn(store) !== undefined,
    /** Sentences for the person, the most pressing first. */
    troubles(): string[] {
      const renewal = renewalIn(store);
      return [
        ...(store.wasMoved() ? [movedWords(store.path)] : []),
        ...(store.isCorrupt() ? [corruptWords(store.path)] : []),
        ...(renewal === undefined ? [] : [renewalWords(renewal)]),
      ];
    },
  };
}

function renewalIn({ settings }: Context['store']): Renewal | undefined {
  return (settings.get(RENEWAL) as Renewal | null | undefined) ?? undefined;
}

function movedWords(path: string): string {
  return `The database in ${path} was removed, replaced or moved while Handrail ran. Nothing runs now, because nothing would be recorded. Put it back, then quit Handrail and start it again.`;
}

function corruptWords(path: string): string {
  return `A part of the database in ${path} is damaged. Quit Handrail and start it again: it builds the database anew from everything that can be read, and keeps the damaged one.`;
}

/** Sentences for the person. */
export function renewalWords(renewal: Renewal): string {
  return renewal.older === undefined ? rebuiltWords(renewal) : olderWords(renewal, renewal.older);
}

function olderWords({ differs = [], areRulesKept }: Renewal, older: NonNullable<Renewal['older']>): string {
  const parts = differs.map((part) => PART_WORDS[part] ?? part);
  const difference = parts.length === 0 ? '' : ` They differ in: ${parts.join(', ')}.`;
  const rules = areRulesKept
    ? ''
    : ' No second copy of your rules can be read, so every requester has the profile lockdown.';
  return `${OLDER_WORDS[older]}${difference}${rules} Look at what is allowed, then resume.`;
}

const OLDER_WORDS: Readonly<Record<NonNullable<Renewal['older']>, string>> = {
  database:
    'The database is older than the second copy of your rules beside it (protections.json): an older one was put back, or its last changes were lost. The rules, keys, pauses and folders of the second copy hold, and all grants have ended.',
  'second copy':
    'The second copy of your rules (protections.json) is older than the database. Your rules, keys, pauses and folders hold as the database has them.',
  journal:
    'The journal does not end as the file beside it says (journal.anchor): an older database was put back, or rows were removed. All grants have ended.',
};

const PART_WORDS: Readonly<Record<string, string>> = {
  settings: 'the stop, or the version of the rules',
  profiles: 'profiles',
  assignments: 'the profiles of requesters',
  users: 'keys and pauses of requesters',
  folders: 'allowed folders',
};

function rebuiltWords({ movedAside, lost, areRulesKept }: Renewal): string {
  const places = movedAside === undefined ? '' : ` The damaged one is ${movedAside}.`;
  const missing = [...new Set(lost.filter((table) => !areRulesKept || !table.startsWith('profile')).map(wordOf))];
  const loss = missing.length === 0 ? 'Everything could be read.' : `Missing, in part or whole: ${missing.join(', ')}.`;
  const rules = areRulesKept
    ? 'Your rules, keys and pauses hold as before.'
    : 'Your rules, keys and pauses could not be read: every requester has the profile lockdown, and an id that was locked has no key.';
  return `The database was damaged and was built anew.${places} ${loss} ${rules} Look at what is allowed, then resume.`;
}

const WORDS: readonly (readonly [RegExp, string])[] = [
  [/^journal/, 'the journal'],
  [/^users/, 'requesters'],
  [/^guardian/, 'counts and insights'],
  [/^profile/, 'profiles'],
  [/^(task|confirmation_steps)/, 'tasks'],
  [/idempotency/, 'idempotency keys'],
  [/^confirmations/, 'prompts'],
  [/^kept|^artifacts|^undos/, 'results and pictures'],
];

/** The word of the page for the rows of a table. */
function wordOf(table: string): string {
  return WORDS.find(([names]) => names.test(table))?.[1] ?? table.replaceAll('_', ' ');
}
