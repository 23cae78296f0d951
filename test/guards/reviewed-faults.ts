import type { Guard } from './guards.ts';

/** The row of faults that a review put into the product while no test failed. Each now has a test. */
const ROW = 'E';

const RAIL = 'test/services/rail-limits.test.ts';
const GIVEN = 'test/services/given-answers.test.ts';
const HASHES = 'test/store/journal-hashes.test.ts';

/** Faults that stay within one rule: a limit, a time, a field of a digest, a word on the page. */
export const REVIEWED_FAULTS: readonly Guard[] = [
  fault('the device in the digest of an action', {
    mark: 'E-1',
    becomes: "deviceId: deviceId === '' ? deviceId : undefined,",
    failed: [RAIL, 'binds the answer to the user, the device, the type and the arguments of its action'],
  }),
  fault('the person is asked where the caller says caution', {
    mark: 'E-2',
    becomes: 'const judged = caution === undefined ? there : there;',
    failed: ['test/services/caution.test.ts', 'still asks when the person assigns a looser profile while it waits'],
  }),
  fault('the risk of a step in the digest of a plan', {
    mark: 'E-3',
    becomes:
      ".map(({ stepId, digest, riskLevel, maxAttempts }) => ({ stepId, digest: digest ?? '', maxAttempts, riskLevel: typeof riskLevel }));",
    failed: [RAIL, 'is another one for another %s'],
  }),
  fault('the attempts of a step in the digest of a plan', {
    mark: 'E-3',
    becomes:
      ".map(({ stepId, digest, riskLevel, maxAttempts }) => ({ stepId, digest: digest ?? '', riskLevel, maxAttempts: typeof maxAttempts }));",
    failed: [RAIL, 'is another one for another %s'],
  }),
  fault('the user of a grant', {
    mark: 'E-4',
    becomes:
      "`SELECT ${COLUMNS} FROM grants WHERE :userId <> '' AND action_type = :actionType AND device_id = :deviceId",
    failed: [RAIL, 'a grant lets through only its own user, action type, device and arguments'],
  }),
  fault('high risk, which is never allowed always', {
    mark: 'E-5',
    becomes: "!isAtLeast('low', 'high') &&",
    failed: ['test/domain/grant.test.ts', 'an action %s is never allowed always'],
  }),
  fault('the 30 s for which a finished hold counts', {
    mark: 'E-6',
    becomes: 'const COUNTS_MS = 36_000_000;',
    failed: [RAIL, 'whose button was held for %d ms, answered %d ms later'],
  }),
  fault('the two seconds for which a prompt of high risk must be shown', {
    mark: 'E-7',
    becomes: 'const DELAY_MS: Record<RiskLevel, number> = { low: 1_000, medium: 1_000, high: 1_000, critical: 2_000 };',
    failed: [RAIL, 'that was shown for %d ms, with a button that was held'],
  }),
  fault('the confirmation in the hash of a journal row, in the writer and the auditor alike', {
    mark: 'E-8',
    becomes:
      "return Buffer.from(hash('sha256', previous.toString('hex') + JSON.stringify(row.toSpliced(6, 1)), 'hex'), 'hex');",
    failed: [HASHES, 'the hashes of two rows are those of a reference implementation'],
  }),
  fault('the time in the hash of a journal row, in the writer and the auditor alike', {
    mark: 'E-8',
    becomes:
      "return Buffer.from(hash('sha256', previous.toString('hex') + JSON.stringify(row.toSpliced(1, 1)), 'hex'), 'hex');",
    failed: [HASHES, 'the hashes of two rows are those of a reference implementation'],
  }),
  fault('the key without which no checkpoint is believed', {
    mark: 'E-9',
    becomes: 'return checkpoints.find((checkpoint) => key !== undefined && !isSigned(checkpoint, key))?.seq;',
    failed: [HASHES, 'the audit does not believe a checkpoint when the key that signed it is gone'],
  }),
  fault('the hash of the anchor', {
    mark: 'E-10',
    becomes: 'if (row !== undefined) return undefined;',
    failed: [HASHES, 'the audit finds a journal that was written anew from its first row, by its anchor'],
  }),
  fault('synchronous=FULL for durable writes', {
    mark: 'E-11',
    becomes: "database.pragma(`synchronous = ${durability === 'durable' ? 'NORMAL' : 'NORMAL'}`);",
    failed: [HASHES, 'a durable write waits for the disk, and a relaxed one after it does not'],
  }),
  fault('the 90 days for which actions are kept', {
    mark: 'E-12',
    becomes: 'const RAW_KEPT_MS = 89 * DAY_MS;',
    failed: ['test/services/records/retention.test.ts', 'an action that is %d ms old is kept: %d'],
  }),
  fault('the 24 hours for which pictures are kept', {
    mark: 'E-13',
    becomes: 'export const ARTIFACTS_KEPT_MS = 240 * 3_600_000;',
    failed: [
      'test/services/records/contents-quota.test.ts',
      'an artifact that is %d ms old can be read: %s, before the sweep and after it',
    ],
  }),
  fault('the end of a slow reader of an event stream', {
    mark: 'E-14',
    becomes: "if (reader === 'is slow') response.cork();",
    failed: [
      'test/http/event-stream-limits.test.ts',
      'a reader that takes no bytes is cut off, and one that takes them is not',
    ],
  }),
  fault('the times of event streams', {
    mark: 'E-15',
    becomes: 'streams: { heartbeatMs: 15_000, slowReaderMs: 900_000 },',
    failed: ['test/architecture/promised-figures.test.ts', 'says “%s”, as the code has it'],
  }),
  fault('the heartbeat of an event stream', {
    mark: 'E-16',
    becomes: "else if (!(await more(events, place, { gone, heartbeatMs }))) reader = await write('');",
    failed: ['test/http/event-stream-limits.test.ts', 'a stream without events shows that it lives'],
  }),
  fault('the 99th percentile of telemetry', {
    mark: 'E-17',
    becomes: 'return { p50: at(0.5), p95: at(0.95), p99: at(0.95) };',
    failed: [
      'test/services/telemetry.test.ts',
      'tells the median and the 95th and 99th percentile of how long actions took',
    ],
  }),
  fault('a step that depends on itself', {
    mark: 'E-18',
    becomes: 'if (dependency === undefined)',
    failed: [
      'test/domain/task-graph.test.ts',
      'with a step that depends on itself is refused for that, and not as a cycle',
    ],
  }),
  fault('an app that has other risks by now', {
    mark: 'E-19',
    becomes: '...(isSameList(judged.risks.map(riskText), now.risks.map(riskText)) ? [] : []),',
    failed: ['test/agent/resolved-risk.test.ts', 'is refused when another app is behind the name by now: %s'],
  }),
  fault('Hangul fillers in the words of a prompt', {
    mark: 'A5-3',
    becomes: 'export const UNSEEN = /[\\p{C}\\p{Zl}\\p{Zp}\\u2800]|(?<=\\p{M}{4})\\p{M}/gu;',
    failed: [RAIL, '%s in the words of a prompt is shown as an escape'],
  }),
  fault('the text of a password field, in the driver that reads it', {
    mark: 'E-20',
    becomes: 'const told = contents;',
    failed: ['test/agent/linux/accessible-details.test.ts', 'the text of a password field is not even asked for'],
  }),
  fault('the text of a password field, in the list of elements', {
    mark: 'E-21',
    becomes: 'contents ? (currentValue(node, details) ?? (isNamedByValue ? ownName : null)) : null;',
    failed: [
      'test/agent/linux/accessible-elements.test.ts',
      'values are listed, but never the value of a password field',
    ],
  }),
  fault('the process behind the window of an opened app', {
    mark: 'E-22',
    becomes: 'const isProven = pid !== null;',
    failed: [
      'test/desktop/open-app-evidence.test.ts',
      'an app whose window names a live process is confirmed, and one whose process has ended is not',
    ],
  }),
  fault('the step of the clock in the time that a prompt has left', {
    mark: 'E-23',
    becomes: 'return Date.parse(at.expiresAt) - at.steppedNowMs;',
    failed: [
      'test/renderer/prompt-words.test.ts',
      'the page never promises more time than there is, although its clock goes in steps',
    ],
  }),
  fault('the words of the button for each scope', {
    mark: 'E-24',
    becomes: "untilQuit: 'Always allow',",
    failed: ['test/renderer/prompt-words.test.ts', 'each scope has its own words on the button and beside it'],
  }),
  fault('the denial that can still be undone, where something else ends the action', {
    mark: 'E-25',
    becomes:
      "const { status, details, heldMs = 0, error }: UnapprovedEnd = (row.id === '' ? heldDenial({ clock }, row) : undefined) ?? to;",
    failed: [GIVEN, 'and it is told that the person denied it'],
  }),
  fault('the rule of three for a denial that can still be undone', {
    mark: 'E-26',
    becomes: "if (found?.row.id === '') recorded(found.row.userId);",
    failed: [GIVEN, 'so a requester that cancels what was denied is paused after three denials like any other'],
  }),
  fault('withdrawn prompts among the latest answers', {
    mark: 'E-27',
    becomes:
      "     WHERE status IN (${ANSWERED}, 'expired') AND decided_at_ms >= :sinceMs ORDER BY decided_at_ms DESC, id DESC LIMIT :limit`,",
    failed: [GIVEN, 'and withdrawn requests between them hide no denials from the rule of ten'],
  }),
  fault('a step that the rules denied as the denial of the person', {
    mark: 'E-28',
    becomes:
      "if (isDeniedByPerson(context, task) || task.steps.some(({ status }) => status === 'denied')) return { because: 'denied' };",
    failed: [
      'test/services/answers-everywhere.test.ts',
      'stop, expiry, withdrawal, void plan and denial: every reader finds the answers of the person, and no others',
    ],
  }),
];

function fault(
  what: string,
  { failed: [file, title], ...removed }: Omit<Guard['removed'], 'what'> & { failed: [file: string, title: string] },
): Guard {
  return { row: ROW, removed: { ...removed, what }, failed: { file, title } };
}
