import type { Guard } from './guards.ts';

/** The row of faults that a review put into the product while no test failed. Each now has a test. */
const ROW = 'E';

const RAIL = 'test/services/rail-limits.test.ts';
const GIVEN = 'test/services/given-answers.test.ts';
const HASHES = 'test/store/journal-hashes.test.ts';

/** Faults that stay within one rule: a limit, a time, a field of a digest, a word on the page. */
export const REVIEWED_FAULTS: readonly Guard[] = [
  fault('the device in the digest of an action', {
    file: 'src/services/actions/admission.ts',
    from: '    deviceId: canonicalJson(deviceId),\n',
    to: "    deviceId: deviceId === '' ? deviceId : undefined,\n",
    failed: [RAIL, 'binds the answer to the user, the device, the type and the arguments of its action'],
  }),
  fault('the person is asked where the caller says caution', {
    file: 'src/services/actions/admission.ts',
    from: "stricter(there, { verdict: 'ask', rule: caution })",
    to: 'there',
    failed: ['test/services/caution.test.ts', 'still asks when the person assigns a looser profile while it waits'],
  }),
  fault('the risk of a step in the digest of a plan', {
    file: 'src/services/confirmations/plans.ts',
    from: "({ stepId, digest: digest ?? '', riskLevel, maxAttempts })",
    to: "({ stepId, digest: digest ?? '', maxAttempts, riskLevel: typeof riskLevel })",
    failed: [RAIL, 'is another one for another %s'],
  }),
  fault('the attempts of a step in the digest of a plan', {
    file: 'src/services/confirmations/plans.ts',
    from: "({ stepId, digest: digest ?? '', riskLevel, maxAttempts })",
    to: "({ stepId, digest: digest ?? '', riskLevel, maxAttempts: typeof maxAttempts })",
    failed: [RAIL, 'is another one for another %s'],
  }),
  fault('the user of a grant', {
    file: 'src/store/records/rules.ts',
    from: 'WHERE user_id = :userId AND',
    to: "WHERE :userId <> '' AND",
    failed: [RAIL, 'a grant lets through only its own user, action type, device and arguments'],
  }),
  fault('high risk, which is never allowed always', {
    file: 'src/domain/grant.ts',
    from: "!isAtLeast(assessment.risk.level, 'high') &&",
    to: "!isAtLeast('low', 'high') &&",
    failed: ['test/domain/grant.test.ts', 'an action %s is never allowed always'],
  }),
  fault('the 30 s for which a finished hold counts', {
    file: 'src/services/confirmations/answer.ts',
    from: 'const COUNTS_MS = 30_000;',
    to: 'const COUNTS_MS = 36_000_000;',
    failed: [RAIL, 'whose button was held for %d ms, answered %d ms later'],
  }),
  fault('the two seconds for which a prompt of high risk must be shown', {
    file: 'src/services/confirmations/confirmations.ts',
    from: 'high: 2_000, critical: 2_000',
    to: 'high: 1_000, critical: 2_000',
    failed: [RAIL, 'that was shown for %d ms, with a button that was held'],
  }),
  fault('the confirmation in the hash of a journal row, in the writer and the auditor alike', {
    file: 'src/store/journal/journal.ts',
    from: "previous.toString('hex') + JSON.stringify(row), 'hex')",
    to: "previous.toString('hex') + JSON.stringify(row.toSpliced(6, 1)), 'hex')",
    failed: [HASHES, 'the hashes of two rows are those of a reference implementation'],
  }),
  fault('the time in the hash of a journal row, in the writer and the auditor alike', {
    file: 'src/store/journal/journal.ts',
    from: "previous.toString('hex') + JSON.stringify(row), 'hex')",
    to: "previous.toString('hex') + JSON.stringify(row.toSpliced(1, 1)), 'hex')",
    failed: [HASHES, 'the hashes of two rows are those of a reference implementation'],
  }),
  fault('the key without which no checkpoint is believed', {
    file: 'src/store/journal/audit.ts',
    from: 'key === undefined || !isSigned(checkpoint, key)',
    to: 'key !== undefined && !isSigned(checkpoint, key)',
    failed: [HASHES, 'the audit does not believe a checkpoint when the key that signed it is gone'],
  }),
  fault('the hash of the anchor', {
    file: 'src/store/journal/audit.ts',
    from: 'if (row?.hash.equals(anchor.hash)) return undefined;',
    to: 'if (row !== undefined) return undefined;',
    failed: [HASHES, 'the audit finds a journal that was written anew from its first row, by its anchor'],
  }),
  fault('synchronous=FULL for durable writes', {
    file: 'src/store/writer.ts',
    from: "durability === 'durable' ? 'FULL' : 'NORMAL'",
    to: "durability === 'durable' ? 'NORMAL' : 'NORMAL'",
    failed: [HASHES, 'a durable write waits for the disk, and a relaxed one after it does not'],
  }),
  fault('the 90 days for which actions are kept', {
    file: 'src/services/records/sweep.ts',
    from: 'const RAW_KEPT_MS = 90 * DAY_MS;',
    to: 'const RAW_KEPT_MS = 89 * DAY_MS;',
    failed: ['test/services/records/retention.test.ts', 'an action that is %d ms old is kept: %d'],
  }),
  fault('the 24 hours for which pictures are kept', {
    file: 'src/services/records/artifacts.ts',
    from: 'export const ARTIFACTS_KEPT_MS = 24 * 3_600_000;',
    to: 'export const ARTIFACTS_KEPT_MS = 240 * 3_600_000;',
    failed: [
      'test/services/records/contents-quota.test.ts',
      'an artifact that is %d ms old can be read: %s, before the sweep and after it',
    ],
  }),
  fault('the end of a slow reader of an event stream', {
    file: 'src/http/routes/events.ts',
    from: "if (reader === 'is slow') response.destroy();",
    to: "if (reader === 'is slow') response.cork();",
    failed: [
      'test/http/event-stream-limits.test.ts',
      'a reader that takes no bytes is cut off, and one that takes them is not',
    ],
  }),
  fault('the times of event streams', {
    file: 'src/http/limits.ts',
    from: 'streams: { heartbeatMs: 15_000, slowReaderMs: 15_000 },',
    to: 'streams: { heartbeatMs: 15_000, slowReaderMs: 900_000 },',
    failed: ['test/architecture/promised-figures.test.ts', 'says “%s”, as the code has it'],
  }),
  fault('the heartbeat of an event stream', {
    file: 'src/http/routes/events.ts',
    from: "reader = await write(': still here\\n\\n');",
    to: "reader = await write('');",
    failed: ['test/http/event-stream-limits.test.ts', 'a stream without events shows that it lives'],
  }),
  fault('the 99th percentile of telemetry', {
    file: 'src/services/guardian/telemetry.ts',
    from: 'p99: at(0.99)',
    to: 'p99: at(0.95)',
    failed: [
      'test/services/telemetry.test.ts',
      'tells the median and the 95th and 99th percentile of how long actions took',
    ],
  }),
  fault('a step that depends on itself', {
    file: 'src/domain/task-graph.ts',
    from: 'if (dependency === step.id)',
    to: 'if (dependency === undefined)',
    failed: [
      'test/domain/task-graph.test.ts',
      'with a step that depends on itself is refused for that, and not as a cycle',
    ],
  }),
  fault('an app that has other risks by now', {
    file: 'agent/targets/recheck.ts',
    from: "[] : ['its risks']",
    to: '[] : []',
    failed: ['test/agent/resolved-risk.test.ts', 'is refused when another app is behind the name by now: %s'],
  }),
  fault('Hangul fillers in the words of a prompt', {
    file: 'src/contract/unseen-characters.ts',
    from: '\\p{Default_Ignorable_Code_Point}\\u2800]|',
    to: '\\u2800]|',
    failed: [RAIL, '%s in the words of a prompt is shown as an escape'],
  }),
  fault('the text of a password field, in the driver that reads it', {
    file: 'agent/drivers/linux/accessible-details.ts',
    from: 'const told = contents && !node.isPassword;',
    to: 'const told = contents;',
    failed: ['test/agent/linux/accessible-details.test.ts', 'the text of a password field is not even asked for'],
  }),
  fault('the text of a password field, in the list of elements', {
    file: 'agent/drivers/linux/accessible-elements.ts',
    from: 'contents && !node.isPassword ?',
    to: 'contents ?',
    failed: [
      'test/agent/linux/accessible-elements.test.ts',
      'values are listed, but never the value of a password field',
    ],
  }),
  fault('the process behind the window of an opened app', {
    file: 'agent/drivers/linux/open-app.ts',
    from: 'const isProven = pid !== null && (await isAlive(pid));',
    to: 'const isProven = pid !== null;',
    failed: [
      'test/desktop/open-app-evidence.test.ts',
      'an app whose window names a live process is confirmed, and one whose process has ended is not',
    ],
  }),
  fault('the step of the clock in the time that a prompt has left', {
    file: 'renderer/src/prompt/Answers.tsx',
    from: 'at.steppedNowMs - at.stepMs;',
    to: 'at.steppedNowMs;',
    failed: [
      'test/renderer/prompt-words.test.ts',
      'the page never promises more time than there is, although its clock goes in steps',
    ],
  }),
  fault('the words of the button for each scope', {
    file: 'renderer/src/prompt/scope-words.ts',
    from: "untilQuit: 'Allow until quit',",
    to: "untilQuit: 'Always allow',",
    failed: ['test/renderer/prompt-words.test.ts', 'each scope has its own words on the button and beside it'],
  }),
  fault('the denial that can still be undone, where something else ends the action', {
    file: 'src/services/actions/cancellation.ts',
    from: 'heldDenial({ clock }, row) ?? to;',
    to: "(row.id === '' ? heldDenial({ clock }, row) : undefined) ?? to;",
    failed: [GIVEN, 'and it is told that the person denied it'],
  }),
  fault('the rule of three for a denial that can still be undone', {
    file: 'src/services/confirmations/denials.ts',
    from: '      if (found !== undefined) recorded(found.row.userId);\n',
    to: "      if (found?.row.id === '') recorded(found.row.userId);\n",
    failed: [GIVEN, 'so a requester that cancels what was denied is paused after three denials like any other'],
  }),
  fault('withdrawn prompts among the latest answers', {
    file: 'src/store/records/confirmations.ts',
    from: 'ANSWERED}) AND decided_at_ms >=',
    to: "ANSWERED}, 'expired') AND decided_at_ms >=",
    failed: [GIVEN, 'and withdrawn requests between them hide no denials from the rule of ten'],
  }),
  fault('a step that the rules denied as the denial of the person', {
    file: 'src/services/tasks/live-tasks.ts',
    from: 'if (isDeniedByPerson(context, task)) return',
    to: "if (isDeniedByPerson(context, task) || task.steps.some(({ status }) => status === 'denied')) return",
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
