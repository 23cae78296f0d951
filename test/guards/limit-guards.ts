import { type Guard, guard } from './guards.ts';

const ENTRIES = 'test/agent/linux/entry-identity.test.ts';
const PLACES = 'test/services/fair-places.test.ts';
const SCRIPTS = 'test/domain/scripts/second-looks.test.ts';
const QUOTAS = 'test/services/records/contents-quota.test.ts';
const CALL_OFFS = 'test/services/call-offs.test.ts';

/** The guards of windows, waiting actions, disguised apps and stored contents: rows A11 to A13, D2 and D4 of the attack table. */
export const LIMIT_GUARDS: readonly Guard[] = [
  guard('A11', 'the agent compares the window with the one the person was told', {
    mark: 'A11-1',
    becomes: 'if (changes.length < 100) return null;',
    failed: [
      'test/agent/macos/screenshot.test.ts',
      'A11: a window that changes while it is captured is not handed out',
    ],
  }),
  guard('A11', 'the agent captures no window that nobody was told about', {
    mark: 'A11-2',
    becomes: "code: 'internal_error',",
    failed: ['test/agent/window-performer.test.ts', 'A11: the agent captures no window by its id alone'],
  }),
  guard('A11', 'the agent compares the window once more after its pixels were read', {
    mark: 'A11-3',
    becomes: 'return seen.ok || !seen.ok ? null : seen;',
    failed: [
      'test/desktop/window-capture.test.ts',
      'A11: a window that changes while its pixels are read is not handed out',
    ],
  }),
  guard('A12', 'an allowed action is not sent later than two minutes after its turn', {
    mark: 'A12-1',
    becomes: 'Math.max(sinceMs, outlivesLock ? heldUntilMs() : 0) + 100 * ALLOWED_LASTS_MS - clock.nowMs();',
    failed: [PLACES, 'asks by itself when its turn has not come within two minutes'],
  }),
  guard('A12', 'places are reserved for known requesters', {
    mark: 'A12-2',
    becomes: 'const RESERVED = 0;',
    failed: [PLACES, 'of %s are sixteen for made-up ids, and four more for requesters that the person knows'],
  }),
  guard('A12', 'an action that was called off is not sent', {
    mark: 'A12-3',
    becomes: "if (row?.status !== 'queued') waiting.remove(id);",
    failed: [CALL_OFFS, 'sends none of them when places become free, even if they are not recorded as ended yet'],
  }),
  guard('A12', 'a restart ends the actions that were called off before it', {
    mark: 'A12-4',
    becomes: 'if (rows.length < 0) store.settings.set(STORED, next);',
    failed: [CALL_OFFS, 'goes on after a restart in the middle: all end with the same words, and none is sent'],
  }),
  guard('A12', 'an allowed action goes before those of other known requesters', {
    mark: 'A12-5',
    becomes: 'lanes[laneOf(row.actionType)][ofOthers].add(row);',
    failed: [PLACES, 'go to an allowed action before all that came earlier'],
  }),
  guard('A12', 'an approval that is two minutes old is not spent', {
    mark: 'A12-6',
    becomes:
      'const isFresh = approval.decidedAtMs !== undefined && atMs - approval.decidedAtMs < 100 * ALLOWED_LASTS_MS;',
    failed: ['test/services/confirmations.test.ts', 'an approval that is %i ms old is too old to be spent'],
  }),
  guard('A13', 'the generic name of an app counts', {
    mark: 'A13-1',
    becomes: '',
    failed: [ENTRIES, 'by the %s of its entry'],
  }),
  guard('A13', 'the menu category of a terminal makes an app high risk', {
    mark: 'A13-2',
    becomes: "['NoTerminalEmulator', 'a terminal'],",
    failed: [ENTRIES, 'by its menu category, under any name'],
  }),
  guard('A13', 'an entry that runs commands is at least medium risk', {
    mark: 'A13-3',
    becomes: "...(interpreter !== '' ? [] : [mediumRisk(`runs commands with ${interpreter}`)]),",
    failed: [ENTRIES, 'A13: an entry that runs commands is at least medium risk'],
  }),
  guard('A13', 'an entry that runs a power, session, disk or package tool is high risk', {
    mark: 'A13-4',
    becomes: '',
    failed: [ENTRIES, 'A13: power, session, disk and package tools are high risk'],
  }),
  guard('A13', 'an entry with arguments of its own is at least medium risk', {
    mark: 'A13-5',
    becomes: '',
    failed: [ENTRIES, 'one with arguments of its own'],
  }),
  guard('A13', 'an entry that is in no menu is at least medium risk', {
    mark: 'A13-6',
    becomes: '',
    failed: [ENTRIES, 'A13: an entry that is not that of a usual app is at least medium risk'],
  }),
  guard('A13', 'an entry that the person can write is at least medium risk', {
    mark: 'A13-7',
    becomes:
      "...(writableEntry !== '' ? [] : [medium(entry, 'has a desktop entry that any program of yours can change')]),",
    failed: [ENTRIES, 'an entry in the home folder'],
  }),
  guard('D4', 'a path that no system opens is not looked at', {
    mark: 'D4-1',
    becomes: '',
    failed: [SCRIPTS, 'D4: no system opens a path of 4,097 characters, and none is looked at'],
  }),
  guard('D4', 'a look at a path takes work off the budget', {
    mark: 'D4-2',
    becomes: 'return at(end);',
    failed: ['test/domain/scripts/reading-limits.test.ts', 'D4: a look at a long path takes much of the work'],
  }),
  guard('D4', 'the steps of a task are assessed in slices', {
    mark: 'D4-3',
    becomes: '',
    failed: ['test/services/task-turns.test.ts', 'D4: the steps of a task are assessed in slices'],
  }),
  guard('D4', 'the agent stops what runs while the daemon is stuck', {
    mark: 'D4-4',
    becomes: '',
    failed: ['test/agent/stuck-watch.test.ts', 'D4: a daemon that answers no ping for 2 s'],
  }),
  guard('D2', 'results beyond the quota of a user are forgotten', {
    mark: 'D2-1',
    becomes: 'const user = largest.get(kind, Number.MAX_SAFE_INTEGER);',
    failed: [QUOTAS, 'beyond the quota of a user the oldest results of that user are forgotten, and the records stay'],
  }),
  guard('D2', 'results beyond the quota of all users are forgotten', {
    mark: 'D2-2',
    becomes: 'const bytes = bytesOf(kind, ALL) - Number.MAX_SAFE_INTEGER;',
    failed: [QUOTAS, 'beyond the quota of all users the oldest results of any user are forgotten'],
  }),
];
