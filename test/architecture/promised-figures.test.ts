import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { STUCK_AFTER_MS } from '../../agent/agent.ts';
import { LONGEST_RETRY_MS } from '../../agent/link-client.ts';
import { STOP_PATIENCE_MS } from '../../agent/runner.ts';
import { NETWORK_LIMITS } from '../../agent/scripts/network/gate.ts';
import { RELAY_PORT } from '../../agent/scripts/network/relay.ts';
import { SILENT_AFTER_BEATS } from '../../src/agent-host/link/agent-link.ts';
import { LINK_LIMITS } from '../../src/agent-host/link/limits.ts';
import { SUPERVISOR_LIMITS } from '../../src/agent-host/supervisor.ts';
import { MAX_FORMER_BYTES, MAX_LOOKED_BYTES, MAX_LOOKED_NAMES } from '../../src/contract/files.ts';
import {
  HEARTBEAT_MS,
  HELLO_TIMEOUT_MS,
  MAX_ATTACHMENT_BYTES,
  MAX_TEXT_FRAME_BYTES,
  SILENCE_LIMIT_MS,
} from '../../src/contract/link.ts';
import { DEFAULT_LIMIT, MAX_LIMIT } from '../../src/contract/list.ts';
import { MAX_STEPS, MAX_TASK_BYTES } from '../../src/contract/task.ts';
import {
  DENIAL_HELD_MS,
  FORMER_VERSIONS_QUOTA,
  MORE_TIME_MS,
  MOST_PROMPT_WAIT_MS,
  PROMPT_EXPIRY_MS,
  UNDO_KEPT_MS,
} from '../../src/contract/times.ts';
import { USUAL_MS } from '../../src/domain/catalogue/definition.ts';
import { BEYOND_WAIT_MS } from '../../src/domain/catalogue/hands/desktop.ts';
import { LONGEST_PLAIN_ADDRESS } from '../../src/domain/catalogue/hands/open-url.ts';
import { GRANT_LIFE, LONGEST_SHOWN } from '../../src/domain/grant.ts';
import { DENIED_OF_LAST, IN_A_ROW, OF_LAST } from '../../src/domain/persons-answer.ts';
import { MAX_STEPS_UNDER_WAY } from '../../src/domain/task-schedule.ts';
import { MAX_DEPTH, MAX_MEMBERS } from '../../src/http/json-body.ts';
import { DEFAULT_LIMITS, LARGE_BODY_BYTES, MCP_BODY_BYTES } from '../../src/http/limits.ts';
import { ALLOWED_LASTS_MS } from '../../src/services/actions/dispatch.ts';
import { PLACES } from '../../src/services/actions/dispatch-queue.ts';
import { BETWEEN_LOOKS_MS } from '../../src/services/actions/evidence.ts';
import { CANCEL_GRACE_MS, OVERDUE_MS } from '../../src/services/actions/execution.ts';
import { LARGE_BYTES } from '../../src/services/actions/large-data.ts';
import {
  MAX_PENDING_IN_ALL,
  MAX_PENDING_OF_USER,
  MAX_QUEUED_IN_ALL,
  MAX_QUEUED_OF_USER,
} from '../../src/services/actions/submission.ts';
import { AGENT_PATIENCE_MS } from '../../src/services/agent/questions.ts';
import { DEFAULT_SETTINGS } from '../../src/services/console/settings.ts';
import { ARTIFACTS_KEPT_MS } from '../../src/services/records/artifacts.ts';
import { CONTENTS_QUOTA } from '../../src/services/records/contents-quota.ts';
import { REPLAYABLE } from '../../src/services/records/event-stream.ts';
import { CONTENTS_KEPT_MS } from '../../src/services/records/sweep.ts';
import { MAX_RECOVERIES } from '../../src/services/tasks/step-changes.ts';
import { MOST_RESOLVED_BYTES } from '../../src/services/tasks/step-results.ts';
import { MOST_STEPS, MOST_TASKS, PARAMETERS_KEPT_MS } from '../../src/services/tasks/tasks.ts';
import { COUNTS_KEPT_MS } from '../../src/store/guardian/units.ts';

const WORDS = new Map([
  [1, 'a'],
  [2, 'two'],
  [3, 'three'],
  [4, 'four'],
  [5, 'five'],
  [8, 'eight'],
  [10, 'ten'],
  [50, 'fifty'],
]);

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const seconds = (ms: number) => plain(ms / 1_000);
const minutes = (ms: number) => plain(ms / MINUTE_MS);
const hours = (ms: number) => plain(ms / HOUR_MS);
const days = (ms: number) => plain(ms / DAY_MS);
const kib = (bytes: number) => plain(bytes / 1_024);
const mib = (bytes: number) => plain(bytes / 1_024 / 1_024);
const plain = (count: number) => count.toLocaleString('en-US');
const word = (count: number) => WORDS.get(count) ?? `(no word for ${count})`;

const limits = DEFAULT_LIMITS;
const LOOKS_MS = BETWEEN_LOOKS_MS.reduce((sum, each) => sum + each, 0);

/**
 * Sentences of the documents, with the constants in place of their figures. A figure that changes only in the code or only in its
 * document makes a test fail. The tests beside the code show that the daemon keeps to the figure.
 */
const PROMISES: Record<string, readonly string[]> = {
  'src/SECURITY.md': [
    `https, at most ${LONGEST_PLAIN_ADDRESS} characters, to a public name`,
    `A restart, ${seconds(DEFAULT_SETTINGS.promptExpiryMs)} s without an answer`,
    `Results and pictures belong to the user id that asked for them and are deleted after ${hours(CONTENTS_KEPT_MS)} hours`,
    `and pictures belong to the user id that asked for them and are deleted after ${hours(ARTIFACTS_KEPT_MS)} hours`,
    `before it and up to ${word(LOOKS_MS / 1_000)} seconds after it`,
    `beyond ${mib(CONTENTS_QUOTA.results.perUser)} MiB of results`,
    `or ${mib(CONTENTS_QUOTA.artifacts.perUser)} MiB of pictures for one id`,
    `for one id, ${mib(CONTENTS_QUOTA.results.inAll)} MiB or`,
    `or ${mib(CONTENTS_QUOTA.artifacts.inAll)} MiB in all`,
    `beyond ${mib(FORMER_VERSIONS_QUOTA.bytes / 1_024)} GiB or ${plain(FORMER_VERSIONS_QUOTA.files)} files in all`,
    `over ${mib(MAX_ATTACHMENT_BYTES)} MiB | \`artifact_rejected\``,
  ],
  'src/services/confirmations/CONFIRMATIONS.md': [
    `can be undone for ${seconds(DENIAL_HELD_MS)} s with`,
    `${seconds(DEFAULT_SETTINGS.promptExpiryMs)} s without an answer (`,
    `(${seconds(PROMPT_EXPIRY_MS.least)} s to 10 minutes can be set)`,
    `s to ${minutes(PROMPT_EXPIRY_MS.most)} minutes can be set)`,
    `as the first prompt, or ${word(MOST_PROMPT_WAIT_MS / MINUTE_MS)} minutes in all`,
    `adds ${word(MORE_TIME_MS / MINUTE_MS)} minutes with`,
    `An approved action is sent within ${word(ALLOWED_LASTS_MS / MINUTE_MS)} minutes or expires`,
    `An approved plan lasts ${word(GRANT_LIFE.task.lastsMs / HOUR_MS)} hours`,
    `after ${word(SUPERVISOR_LIMITS.starts)} starts in`,
    `starts in ${word(SUPERVISOR_LIMITS.windowMs / MINUTE_MS)} minutes`,
  ],
  'src/services/tasks/TASKS.md': [
    `more than ${MAX_STEPS} steps, or`,
    `or more than ${kib(MAX_TASK_BYTES)} KiB of steps`,
    `At most ${word(MAX_STEPS_UNDER_WAY)} steps of a task run at once`,
    `At most ${PLACES} actions run in all`,
    `sent again, at most ${word(MAX_RECOVERIES)} times`,
    `a result of more than ${kib(LARGE_BYTES)} KiB, makes it JSON`,
    `resolved parameters may have ${kib(MOST_RESOLVED_BYTES)} KiB as JSON`,
    `its report within ${seconds(CANCEL_GRACE_MS)} s decides`,
    `The parameters of steps are forgotten ${word(PARAMETERS_KEPT_MS / DAY_MS)} day after`,
  ],
  'src/http/API.md': [
    `more than ${MAX_DEPTH} levels or`,
    `levels or ${plain(MAX_MEMBERS)} members are refused`,
    `A body has at most ${kib(limits.maxBodyBytes)} KiB`,
    `a task or a profile ${kib(LARGE_BODY_BYTES)} KiB, a message of MCP ${mib(MCP_BODY_BYTES)} MiB`,
    `\`limit\` is ${DEFAULT_LIMIT} by default`,
    `at most ${MAX_LIMIT}; a larger one counts as ${MAX_LIMIT}`,
    `up to ${plain(REPLAYABLE)} events back`,
    `A comment every ${seconds(limits.streams.heartbeatMs)} s shows`,
    `takes no bytes for ${seconds(limits.streams.slowReaderMs)} s is cut off`,
    `writes a minute \\* | ${plain(limits.writesPerMinute.perUser)} | ${plain(limits.writesPerMinute.inAll)} |`,
    `reads a minute \\* | ${plain(limits.readsPerMinute.perUser)} | ${plain(limits.readsPerMinute.inAll)} |`,
    `connections \\* | | ${limits.maxConnections}; beyond`,
    `and streams, at once \\* | ${limits.held.perUser} | ${limits.held.inAll} |`,
    `held by default \\* | ${limits.heldByDefault.perUser} | ${limits.heldByDefault.inAll} |`,
    `not read | ${mib(limits.unreadBytes.perUser)} MiB | ${mib(limits.unreadBytes.inAll)} MiB; beyond`,
    `${plain(limits.pipelined.perConnection)} on one, ${plain(limits.pipelined.inAll)} in all`,
    `cut off after ${seconds(limits.writeTimeoutMs)} to ${seconds(2 * limits.writeTimeoutMs)} s`,
  ],
  'src/contract/LINK.md': [
    `A text frame has at most ${mib(MAX_TEXT_FRAME_BYTES)} MiB`,
    `a binary frame at most ${mib(MAX_ATTACHMENT_BYTES)} MiB and a header`,
    `sends \`agent.hello\` within ${seconds(HELLO_TIMEOUT_MS)} s`,
    `Attachments must follow within ${seconds(LINK_LIMITS.attachmentMs)} s`,
    `A driver that does not stop within ${seconds(STOP_PATIENCE_MS)} s is given up`,
    `The daemon waits ${seconds(CANCEL_GRACE_MS)} s for that answer`,
    `Both ends send a ping every ${seconds(HEARTBEAT_MS)} s`,
    `After ${seconds(SILENCE_LIMIT_MS)} s without one`,
    `If no frame comes for ${seconds(STUCK_AFTER_MS)} s`,
    `After ${seconds(SILENT_AFTER_BEATS * HEARTBEAT_MS)} s of silence the new connection replaces`,
    `the daemon waits ${seconds(LINK_LIMITS.graceMs)} s for a new hello`,
    `A process that was just started has ${seconds(LINK_LIMITS.startMs)} s for its hello`,
    `doubles from ${plain(SUPERVISOR_LIMITS.backoffMs)} ms to`,
    `ms to ${seconds(SUPERVISOR_LIMITS.longestBackoffMs)} s. After`,
    `then with pauses up to ${seconds(LONGEST_RETRY_MS)} s`,
    `text frame over ${mib(MAX_TEXT_FRAME_BYTES)} MiB`,
  ],
  'src/domain/RULES.md': [
    `At most ${mib(FORMER_VERSIONS_QUOTA.bytes / 1_024)} GiB and ${plain(FORMER_VERSIONS_QUOTA.files)} former versions are kept`,
    `also before their ${hours(UNDO_KEPT_MS)} hours are over`,
    `A file of more than ${mib(MAX_FORMER_BYTES)} MiB is not overwritten at all`,
    `reads the first ${kib(MAX_LOOKED_BYTES)} KiB of an artifact`,
    `reads the first ${kib(MAX_LOOKED_BYTES)} KiB of the file, or up to ${plain(MAX_LOOKED_NAMES)} names in the folder`,
    `${NETWORK_LIMITS.connectionsAtOnce} connections at once, ${plain(NETWORK_LIMITS.connections)} in all`,
    `in all, ${mib(NETWORK_LIMITS.bytes)} MiB, ${seconds(NETWORK_LIMITS.connectWithinMs)} s to connect`,
    `s to connect, ${seconds(NETWORK_LIMITS.idleMs)} s without a byte`,
    `sees as \`127.0.0.1:${RELAY_PORT}\` of its own`,
    `\`once\` (no grant) | ${word(ALLOWED_LASTS_MS / MINUTE_MS)} minutes until the action is sent`,
    `\`task\` | ${hours(GRANT_LIFE.task.lastsMs)} hours, and`,
    `\`minutes15\` | ${minutes(GRANT_LIFE.minutes15.lastsMs)} minutes`,
    `\`untilQuit\` | ${hours(GRANT_LIFE.untilQuit.lastsMs)} hours, and`,
    `\`always\` | ${days(GRANT_LIFE.always.lastsMs)} days | ${days(GRANT_LIFE.always.unusedMs)} days |`,
    `at most ${LONGEST_SHOWN} characters of parameters`,
    `${word(IN_A_ROW)} denials in a row, or ${word(DENIED_OF_LAST)} among the last ${word(OF_LAST)} answers`,
    `(no agent for ${seconds(AGENT_PATIENCE_MS)} s)`,
    `the action's timeout and ${seconds(OVERDUE_MS)} s, then a cancel and ${seconds(CANCEL_GRACE_MS)} s;`,
    `prompts that wait | ${MAX_PENDING_OF_USER} | ${MAX_PENDING_IN_ALL} |`,
    `wait for their turn | ${plain(MAX_QUEUED_OF_USER)} | ${plain(MAX_QUEUED_IN_ALL)} |`,
    `actions that run | | ${PLACES}, and ${PLACES} \`Wait\` beside them |`,
    `steps | ${MOST_TASKS.ofUser} and ${plain(MOST_STEPS.ofUser)} | ${MOST_TASKS.inAll} and ${plain(MOST_STEPS.inAll)} |`,
    `action's timeout | ${seconds(USUAL_MS)} s unless given`,
    `its duration and ${seconds(BEYOND_WAIT_MS)} s, if longer`,
  ],
  'src/guardian/METRICS.md': [
    `Minutes are kept ${days(COUNTS_KEPT_MS.minute)} days, hours`,
    `hours ${word(Math.floor(COUNTS_KEPT_MS.hour / DAY_MS / 365))} year, days`,
    `days ${word(Math.floor(COUNTS_KEPT_MS.day / DAY_MS / 365))} years`,
  ],
};

describe.each(Object.entries(PROMISES))('%s', (document, promises) => {
  const text = readFileSync(join(import.meta.dirname, '../..', document), 'utf8')
    .replace(/\s+/g, ' ')
    .toLowerCase();
  test.each(promises)('says “%s”, as the code has it', (promise) => {
    expect(text).toContain(promise.toLowerCase());
  });
});
