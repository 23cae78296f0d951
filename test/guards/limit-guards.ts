import { type Guard, guard } from './guards.ts';

const RISKS = 'agent/drivers/linux/entry-risks.ts';
const COMMANDS = 'agent/drivers/linux/entry-risks.ts';
const ENTRIES = 'test/agent/linux/entry-identity.test.ts';
const PLACES = 'test/services/fair-places.test.ts';
const SCRIPTS = 'test/domain/scripts/second-looks.test.ts';
const QUOTAS = 'test/services/records/contents-quota.test.ts';
const CALL_OFFS = 'test/services/call-offs.test.ts';

/** The guards of windows, waiting actions, disguised apps and stored contents: rows A11 to A13, D2 and D4 of the attack table. */
export const LIMIT_GUARDS: readonly Guard[] = [
  guard('A11', 'the agent compares the window with the one the person was told', {
    file: 'agent/targets/recheck.ts',
    from: 'if (changes.length === 0) return null;',
    to: 'if (changes.length < 100) return null;',
    failed: [
      'test/agent/macos/screenshot.test.ts',
      'A11: a window that changes while it is captured is not handed out',
    ],
  }),
  guard('A11', 'the agent captures no window that nobody was told about', {
    file: 'agent/looks/looks.ts',
    from: "  code: 'target_changed',\n  message: 'Nobody was told",
    to: "  code: 'internal_error',\n  message: 'Nobody was told",
    failed: ['test/agent/window-performer.test.ts', 'A11: the agent captures no window by its id alone'],
  }),
  guard('A11', 'the agent compares the window once more after its pixels were read', {
    file: 'agent/drivers/linux/screenshot.ts',
    from: 'return seen.ok ? null : seen;',
    to: 'return seen.ok || !seen.ok ? null : seen;',
    failed: [
      'test/desktop/window-capture.test.ts',
      'A11: a window that changes while its pixels are read is not handed out',
    ],
  }),
  guard('A12', 'an allowed action is not sent later than two minutes after its turn', {
    file: 'src/services/actions/waiting.ts',
    from: 'ALLOWED_LASTS_MS - clock.nowMs()',
    to: '100 * ALLOWED_LASTS_MS - clock.nowMs()',
    failed: [PLACES, 'asks by itself when its turn has not come within two minutes'],
  }),
  guard('A12', 'places are reserved for known requesters', {
    file: 'src/services/requesters/requesters.ts',
    from: 'const RESERVED = 1 / 4;',
    to: 'const RESERVED = 0;',
    failed: [PLACES, 'of %s are sixteen for made-up ids, and four more for requesters that the person knows'],
  }),
  guard('A12', 'an action that was called off is not sent', {
    file: 'src/services/actions/dispatch-queue.ts',
    from: "if (row?.status !== 'queued' || parts.isCalledOff(id)) waiting.remove(id);",
    to: "if (row?.status !== 'queued') waiting.remove(id);",
    failed: [CALL_OFFS, 'sends none of them when places become free, even if they are not recorded as ended yet'],
  }),
  guard('A12', 'a restart ends the actions that were called off before it', {
    file: 'src/services/actions/call-offs.ts',
    from: 'if (rows.length > 0) store.settings.set(STORED, next);',
    to: 'if (rows.length < 0) store.settings.set(STORED, next);',
    failed: [CALL_OFFS, 'goes on after a restart in the middle: all end with the same words, and none is sent'],
  }),
  guard('A12', 'an allowed action goes before those of other known requesters', {
    file: 'src/services/actions/waiting.ts',
    from: "[isAllowed ? 'allowed' : ofOthers]",
    to: '[ofOthers]',
    failed: [PLACES, 'go to an allowed action before all that came earlier'],
  }),
  guard('A12', 'an approval that is two minutes old is not spent', {
    file: 'src/services/actions/dispatch.ts',
    from: 'atMs - approval.decidedAtMs < ALLOWED_LASTS_MS',
    to: 'atMs - approval.decidedAtMs < 100 * ALLOWED_LASTS_MS',
    failed: ['test/services/confirmations.test.ts', 'an approval that is %i ms old is too old to be spent'],
  }),
  guard('A13', 'the generic name of an app counts', {
    file: 'agent/drivers/linux/entry-risks.ts',
    from: 'entry.genericName,',
    to: '',
    failed: [ENTRIES, 'by the %s of its entry'],
  }),
  guard('A13', 'the menu category of a terminal makes an app high risk', {
    file: RISKS,
    from: "['TerminalEmulator', 'a terminal'],",
    to: "['NoTerminalEmulator', 'a terminal'],",
    failed: [ENTRIES, 'by its menu category, under any name'],
  }),
  guard('A13', 'an entry that runs commands is at least medium risk', {
    file: COMMANDS,
    from: '...(interpreter === undefined ? []',
    to: "...(interpreter !== '' ? []",
    failed: [ENTRIES, 'A13: an entry that runs commands is at least medium risk'],
  }),
  guard('A13', 'an entry that runs a power, session, disk or package tool is high risk', {
    file: COMMANDS,
    from: '...toolRisks(entry, names),',
    to: '',
    failed: [ENTRIES, 'A13: power, session, disk and package tools are high risk'],
  }),
  guard('A13', 'an entry with arguments of its own is at least medium risk', {
    file: COMMANDS,
    from: '...argumentRisks(entry),',
    to: '',
    failed: [ENTRIES, 'one with arguments of its own'],
  }),
  guard('A13', 'an entry that is in no menu is at least medium risk', {
    file: RISKS,
    from: '...menuRisks(entry),',
    to: '',
    failed: [ENTRIES, 'A13: an entry that is not that of a usual app is at least medium risk'],
  }),
  guard('A13', 'an entry that the person can write is at least medium risk', {
    file: RISKS,
    from: '...(writableEntry === undefined ? []',
    to: "...(writableEntry !== '' ? []",
    failed: [ENTRIES, 'an entry in the home folder'],
  }),
  guard('D4', 'a path that no system opens is not looked at', {
    file: 'src/contract/lasting-places.ts',
    from: 'if (path.length > MAX_PATH_LENGTH) return undefined;\n  const name = comparablePath(path);',
    to: 'const name = comparablePath(path);',
    failed: [SCRIPTS, 'D4: no system opens a path of 4,097 characters, and none is looked at'],
  }),
  guard('D4', 'a look at a path takes work off the budget', {
    file: 'src/domain/scripts/looks.ts',
    from: 'spend(end.length) ? at(end) : undefined',
    to: 'at(end)',
    failed: ['test/domain/scripts/reading-limits.test.ts', 'D4: a look at a long path takes much of the work'],
  }),
  guard('D4', 'the steps of a task are assessed in slices', {
    file: 'src/services/tasks/acceptance.ts',
    from: 'if (slice.isOver()) await slice.next();',
    to: '',
    failed: ['test/services/task-turns.test.ts', 'D4: the steps of a task are assessed in slices'],
  }),
  guard('D4', 'the agent stops what runs while the daemon is stuck', {
    file: 'agent/agent.ts',
    from: 'if (silentMs >= STUCK_AFTER_MS) setImmediate(judge);',
    to: '',
    failed: ['test/agent/stuck-watch.test.ts', 'D4: a daemon that answers no ping for 2 s'],
  }),
  guard('D2', 'results beyond the quota of a user are forgotten', {
    file: 'src/store/records/artifacts.ts',
    from: 'largest.get(kind, quota.perUser)',
    to: 'largest.get(kind, Number.MAX_SAFE_INTEGER)',
    failed: [QUOTAS, 'beyond the quota of a user the oldest results of that user are forgotten, and the records stay'],
  }),
  guard('D2', 'results beyond the quota of all users are forgotten', {
    file: 'src/store/records/artifacts.ts',
    from: 'bytesOf(kind, ALL) - quota.inAll;',
    to: 'bytesOf(kind, ALL) - Number.MAX_SAFE_INTEGER;',
    failed: [QUOTAS, 'beyond the quota of all users the oldest results of any user are forgotten'],
  }),
];
