import type { Guard } from './guards.ts';

/** The row of faults that a second review put into the product while no test failed. Each now has a test. */
const ROW = 'E2';

const DOMAIN = 'test/domain/scripts/second-looks.test.ts';
const FILES = 'test/agent/files/second-looks.test.ts';
const SCRIPTS = 'test/agent/scripts/second-looks.test.ts';
const SESSIONS = 'test/services/sessions/sessions.test.ts';
const SENTENCES = 'test/guardian/insights/sentences.test.ts';
const READER = 'test/agent/macos/script-reader.test.ts';
const MAC_SCRIPTS = 'test/agent/macos/scripts.test.ts';
const CAUSES = 'test/services/known-causes.test.ts';

type Fault = Omit<Guard['removed'], 'what'> & { failed: [file: string, title: string] };

/** Faults in a second dimension, a depth, a time, or a state that changes after it was looked at. */
export const SECOND_REVIEW_FAULTS: readonly Guard[] = [
  ...ofScripts(),
  ...ofFiles(),
  ...ofPrompts(),
  ...ofSessions(),
  ...ofCallers(),
  ...ofInsights(),

  ...ofThePage(),
  ...ofTheMac(),
];

function ofScripts(): Guard[] {
  return [
    fault('the interpreter under which the dangers of a script are remembered', {
      file: 'src/domain/scripts/notice-dangers.ts',
      from: '{interpreter} ',
      to: '{script.length} ',
      failed: [DOMAIN, 'the same text has the dangers of the language in which it runs, one after the other'],
    }),
    fault('the length up to which a path that a script names is looked at', {
      file: 'src/domain/scripts/places.ts',
      from: 'secretNamed(path: string): string | undefined {\n  if (path.length > MAX_PATH_LENGTH)',
      to: 'secretNamed(path: string): string | undefined {\n  if (path.length > 100)',
      failed: [DOMAIN, 'D4: a path of %d characters is looked at'],
    }),
    fault('the folder from which a second cd leads on', {
      file: 'src/domain/scripts/shell/analyse.ts',
      from: "joined(folder.path, readArguments(call.args).operands[0] ?? '~');",
      to: "readArguments(call.args).operands[0] ?? '~';",
      failed: [DOMAIN, 'a path is below all folders that the script went to: %s'],
    }),
    fault('the ending of a script in capital letters', {
      file: 'src/domain/scripts/notice-dangers.ts',
      from: "comparablePath(path.slice(path.lastIndexOf('/') + 1));",
      to: "path.slice(path.lastIndexOf('/') + 1);",
      failed: [DOMAIN, 'a file is a script by the ending of its name in any case: %s'],
    }),
    fault('the Library of a Mac as a place of settings', {
      file: 'src/contract/lasting-places.ts',
      from: '(?:\\.[^/]|Library(?:\\/|$))/u',
      to: '(?:\\.[^/])/u',
      failed: [DOMAIN, 'a script in %s is in a place of settings: %s'],
    }),
    fault('the second path of a move in what a denial is about', {
      file: 'src/domain/catalogue/file-target.ts',
      from: 'denialTarget: looked.map(',
      to: 'denialTarget: looked.slice(0, 1).map(',
      failed: [DOMAIN, 'the denial of a move is about both of its paths'],
    }),
    fault('the word for a write of which nobody knows whether it replaces a file', {
      file: 'src/domain/catalogue/file-actions.ts',
      from: "overwrite && found?.kind !== 'missing'",
      to: "overwrite && found?.kind === 'file'",
      failed: [DOMAIN, 'a write where what stands there %s is told'],
    }),
    fault('the network that providers share', {
      file: 'agent/scripts/network/gate.ts',
      from: "'100.64.0.0/10'",
      to: "'100.64.0.0/16'",
      failed: [SCRIPTS, 'X9: the address %s of the network that providers share'],
    }),
    fault('the number of processes of a script', {
      file: 'agent/scripts/process-tree.ts',
      from: 'if (pids.length > LIMITS.processes)',
      to: 'if (pids.length > LIMITS.processes + 1)',
      failed: [SCRIPTS, 'X6: a script with %d processes beside its first one takes too much'],
    }),
    fault('a look at the folder that was stopped before its end', {
      file: 'agent/scripts/run-script.ts',
      from: "end === 'whole' && kept.length",
      to: "end !== 'too many' && kept.length",
      failed: [SCRIPTS, 'changes are said to be incomplete where the folder could not be looked over again'],
    }),
  ];
}

function ofFiles(): Guard[] {
  return [
    fault('a secret three levels down in a folder that is moved', {
      file: 'agent/files/anchored-folder.ts',
      from: 'if (isFolder && !isClosed(path))',
      to: "if (isFolder && !isClosed(path) && !folder.name.includes('/'))",
      failed: [FILES, 'F5: a folder is not moved with the secret %s in it'],
    }),
    fault('the depth to which a folder is listed', {
      file: 'agent/files/list-files.ts',
      from: 'filter(Boolean).length + 1 >= walk.depth',
      to: 'filter(Boolean).length >= walk.depth',
      failed: [FILES, 'ListFiles with the depth %d lists so many levels'],
    }),
    fault('a folder that was left out before one that was not', {
      file: 'agent/files/list-files.ts',
      from: 'isWhole = isWhole && added === true;',
      to: 'isWhole = added === true;',
      failed: [FILES, 'ListFiles says that a list is not complete when a folder in it could not be opened'],
    }),
    fault('the right to run as another user, of a file that is overwritten', {
      file: 'agent/files/judged-file.ts',
      from: 'return Number(mode) & 0o777;',
      to: 'return Number(mode) & 0o7777;',
      failed: [FILES, 'WriteFile takes the rights to run as another user from a file that it overwrites'],
    }),
    fault('an empty folder that has the name to which something moves', {
      file: 'agent/files/move-file.ts',
      from: "if (target.kind !== 'missing')",
      to: "if (target.kind === 'file')",
      failed: [FILES, 'MoveFile does not move a %s over an empty folder'],
    }),
    fault('a null character in what is read as text', {
      file: 'agent/files/read-file.ts',
      from: "return text.includes('\\0') ? undefined : text;",
      to: 'return text;',
      failed: [FILES, 'ReadFile gives no text that holds a null character'],
    }),
    fault('the last look at a file before it is replaced', {
      file: 'agent/files/write-file.ts',
      from: '    else if (await isAnother(place, judged)) return targetChanged(judged.realPath);\n',
      to: '',
      failed: [FILES, 'F2: WriteFile does not replace a file that took the name after the former one was kept'],
    }),
    fault('the contents that are read back', {
      file: 'agent/files/write-file.ts',
      from: "const isConfirmed = sha256 === hash('sha256', bytes, 'hex');",
      to: "const isConfirmed = sha256 !== '';",
      failed: [FILES, 'WriteFile does not confirm contents that are no longer there when it reads them back'],
    }),
    fault('a file that is touched while its contents are compared', {
      file: 'agent/files/undo-file.ts',
      from: 'return isUntouched && sha256',
      to: 'return sha256',
      failed: [FILES, 'F6: a file that is touched while an undo reads it stays as it is'],
    }),
    fault('the description of a file that did not get to the trash', {
      file: 'agent/files/trash-file.ts',
      from: '    await unlink(infoPath);\n    throw error;',
      to: '    throw error;',
      failed: [FILES, 'a file that cannot be moved to the trash leaves no description there'],
    }),
    fault('an app that is remembered after the agent found another one', {
      file: 'src/services/actions/execution.ts',
      from: "if (!outcome.ok && outcome.code === 'target_changed') agent.targets.forget();",
      to: '',
      failed: ['test/services/hidden-risk.test.ts', 'finds the app anew, once the agent has found another one'],
    }),
  ];
}

function ofPrompts(): Guard[] {
  return [
    fault('the risk of a step that rose after its plan was approved', {
      file: 'src/services/confirmations/plans.ts',
      from: 'isAtLeast(covered.riskLevel, now.assessment.risk.level);',
      to: "isAtLeast(covered.riskLevel, 'low');",
      failed: [
        'test/services/plan-approval.test.ts',
        'an approved plan does not cover a step whose risk has risen since',
      ],
    }),
    fault('a hold from before a denial that was undone', {
      file: 'src/services/confirmations/denials.ts',
      from: '    holds.forget(id);\n',
      to: '',
      failed: ['test/services/undo.test.ts', 'a hold from before a denial does not allow after the denial was undone'],
    }),
    fault('the turn of a stranger', {
      file: 'src/services/confirmations/queue.ts',
      from: 'lastTurns.set(userId, count);',
      to: 'if (rankOf(userId) !== RANK.stranger) lastTurns.set(userId, count);',
      failed: ['test/services/prompt-order.test.ts', 'a stranger that was answered comes after the other strangers'],
    }),
    fault('turns from before nothing waited', {
      file: 'src/services/confirmations/queue.ts',
      from: '    if (first === undefined) turns.forget();\n',
      to: '',
      failed: ['test/services/prompt-order.test.ts', 'once nothing waits, nobody is owed a turn'],
    }),
    fault('the script in the length of a prompt', {
      file: 'src/services/confirmations/prompt-length.ts',
      from: 'return [...(script.environment ?? []), script.text];',
      to: 'return [...(script.environment ?? [])];',
      failed: [
        'test/services/prompt-reading.test.ts',
        'the length counts the text of a script, with the variables that it sets',
      ],
    }),
  ];
}

function ofSessions(): Guard[] {
  return [
    fault('the count of wrong codes, of a fresh code', {
      file: 'src/services/sessions/sign-in-codes.ts',
      from: '      wrongCount = 0;\n',
      to: '',
      failed: [SESSIONS, 'a fresh sign-in code is good for as many wrong ones again'],
    }),
    fault('the end of a session that was idle while the computer was suspended', {
      file: 'src/services/sessions/live-sessions.ts',
      from: 'if (clock.nowMs() >= idleUntilMs(session)) {',
      to: 'if (clock.nowMs() < 0) {',
      failed: [SESSIONS, 'a session that was idle while the computer was suspended for %d ms'],
    }),
    fault('the session whose codes end with it', {
      file: 'src/services/sessions/sessions.ts',
      from: 'codes.endMadeAfter(String(lineage.at(-1)))',
      to: 'codes.endMadeAfter(String(lineage.at(0)))',
      failed: [SESSIONS, 'the end of a session leaves the unused code of the session that it came from'],
    }),
  ];
}

function ofCallers(): Guard[] {
  return [
    fault('a reader that was refused an answer and has read another since', {
      file: 'src/http/answer-budget.ts',
      from: '        full.delete(reader);\n',
      to: '',
      failed: [
        'test/http/unread-answers.test.ts',
        'a reader that was refused an answer gets one once it has read another, whatever others leave unread',
      ],
    }),
    fault('the rest of the thread after a long slice of work', {
      file: 'src/services/work/turns.ts',
      from: 'else setTimeout(serve, tookMs / 3);',
      to: 'else serve();',
      failed: ['test/services/work/turns.test.ts', 'a slice of work %s'],
    }),
    fault('the places of others, which calls of the person do not take', {
      file: 'src/http/open-calls.ts',
      from: 'if (userId !== PERSON) inAll += by;',
      to: 'inAll += by;',
      failed: ['test/http/open-calls.test.ts', 'the calls of the person take no places of others'],
    }),
    fault('the calls of the person, which wait for no requester', {
      file: 'src/http/answer-budget.ts',
      from: ' && !isPerson(this, console)',
      to: '',
      failed: ['test/http/turns.test.ts', 'the person and the checks of health wait for no requester, and lists'],
    }),
    fault('the program that made a connection, which another one now uses', {
      file: 'src/http/peers.ts',
      from: 'comparedProgram(before, await find(socket));',
      to: 'comparedProgram(await find(socket), before);',
      failed: [
        'test/http/changed-programs.test.ts',
        'P2: a program that leaves its connection to a child is shown as changed',
      ],
    }),
    fault('the start time of a process whose id passed to another one', {
      file: 'src/peers/linux-programs.ts',
      from: 'every((each) => processes.startOf(each.pid) === each.startTicks)',
      to: 'every((each) => processes.startOf(each.pid) !== undefined)',
      failed: [
        'test/peers/linux-programs.test.ts',
        'an id that passes to another process while its parents are looked at',
      ],
    }),
    fault('the user of the process before', {
      file: 'src/peers/macos-peers.ts',
      from: "if (line[0] === 'p') [pid, uid] = [Number(value), undefined];",
      to: "if (line[0] === 'p') pid = Number(value);",
      failed: [
        'test/peers/macos-peers.test.ts',
        'a process whose user lsof does not tell is not taken for one of the user before',
      ],
    }),
    fault('the user in the made-up name of a step', {
      file: 'src/services/guardian/viewer.ts',
      from: '{userId}\\n',
      to: "{''}\\n",
      failed: ['test/services/viewer.test.ts', 'steps that two users call alike have names of their own'],
    }),
  ];
}

function ofInsights(): Guard[] {
  return [
    fault('an insight that was over when the person acknowledged it', {
      file: 'src/services/guardian/insights.ts',
      from: "if (episode === undefined || episode.status !== 'open') return episode;",
      to: 'if (episode === undefined) return episode;',
      failed: [
        'test/services/insight-book.test.ts',
        'tells of a warning that was over when the person acknowledged it, once it returns',
      ],
    }),
    fault('the length of the window whose score is remembered', {
      file: 'src/services/guardian/risk.ts',
      from: '{span.fromMs} ',
      to: '{span.toMs} ',
      failed: ['test/services/risk.test.ts', 'of two windows that ended at the same time has a score for each'],
    }),
    fault('the windows for which a cause is known', {
      file: 'src/services/guardian/known-causes.ts',
      from: 'mark.cause === cause && toMs > mark.markedAtMs',
      to: 'mark.cause === cause',
      failed: [CAUSES, 'a mark is for its own cause, and for windows that end after it'],
    }),
    fault('a window that begins after its cause was marked', {
      file: 'src/services/guardian/known-causes.ts',
      from: 'if (mark === undefined || mark.markedAtMs < fromMs) return all;',
      to: 'if (mark === undefined) return all;',
      failed: [CAUSES, 'a window that begins after the mark counts all its failures, as does one without a mark'],
    }),
    fault('a grant of this very millisecond', {
      file: 'src/services/guardian/facts.ts',
      from: 'lately: grants.given(latelyMs, nowMs + 1),',
      to: 'lately: grants.given(latelyMs, nowMs),',
      failed: [
        'test/services/grants-given.test.ts',
        'grants of the last two weeks are counted to this very millisecond',
      ],
    }),
    fault('the first day of the weeks that grants are compared with', {
      file: 'src/services/guardian/facts.ts',
      from: 'const fromMs = Math.max(firstMs, latelyMs',
      to: 'const fromMs = Math.min(firstMs, latelyMs',
      failed: [
        'test/services/grants-given.test.ts',
        'weeks before the first requester was seen are none to compare with',
      ],
    }),
    fault('a first requester who was seen within the last two weeks', {
      file: 'src/services/guardian/facts.ts',
      from: 'Math.min(latelyMs, users.firstSeenAtMs() ?? latelyMs)',
      to: 'users.firstSeenAtMs() ?? latelyMs',
      failed: [
        'test/services/grants-given.test.ts',
        'weeks before the first requester was seen are none to compare with',
      ],
    }),
    fault('insights after the clock was set back', {
      file: 'src/services/guardian/insights.ts',
      from: 'if (Math.abs(clock.nowMs() - lookedAtMs) >= MINUTE_MS) look();',
      to: 'if (clock.nowMs() - lookedAtMs >= MINUTE_MS) look();',
      failed: ['test/services/insights.test.ts', 'is found after the clock was set back'],
    }),
    fault('the answers before a streak of denials', {
      file: 'src/guardian/insights/prompts.ts',
      from: 'answers.filter(({ decidedAtMs }) => decidedAtMs < sinceMs);',
      to: 'answers.filter(({ decidedAtMs }) => decidedAtMs <= sinceMs);',
      failed: [SENTENCES, 'the denials of a streak are no part of the usual share of denials'],
    }),
    fault('an insight that nobody looked at for long while it was open', {
      file: 'src/guardian/insights/episode.ts',
      from: "before.status === 'resolved' && atMs",
      to: 'atMs',
      failed: ['test/guardian/insights/episode.test.ts', 'a %s insight that is found again after %i ms was told as %s'],
    }),
    fault('a requester of whom there are too many requests to know', {
      file: 'src/guardian/insights/requesters.ts',
      from: 'if (shown.length === 0 && isAll) return [];',
      to: 'if (shown.length === 0) return [];',
      failed: [SENTENCES, 'a new requester is told of where there are too many requests to know that it made none'],
    }),
  ];
}

function ofThePage(): Guard[] {
  return [
    fault('the newer notification, when an older one fails', {
      file: 'src/electron/user-interface.ts',
      from: 'if (shown === notice) shown = undefined;\n        failed();',
      to: 'shown = undefined;\n        failed();',
      failed: ['test/shell/notices.test.ts', 'a notification that fails late does not make the newer one be forgotten'],
    }),
    fault('the notice of a call that did not work', {
      file: 'renderer/src/notices.ts',
      from: "if (!answer.ok) show({ tone: 'problem',",
      to: "if (!answer.ok) show({ tone: 'done',",
      failed: ['test/renderer/notices.test.ts', 'a call that did not work is said as a problem, with its reason'],
    }),
    fault('a filter without a value', {
      file: 'renderer/src/activity/filters.ts',
      from: "if (known !== undefined && value !== '')",
      to: 'if (known !== undefined)',
      failed: [
        'test/renderer/activity-filters.test.ts',
        'a filter without a value, or that is not known, is no part of',
      ],
    }),
    fault('the place at which a log was cut', {
      file: 'renderer/src/activity/activity-log.ts',
      from: 'noted = noted.slice(0, index + 1);',
      to: 'noted = noted.slice(0, index);',
      failed: ['test/renderer/activity-log.test.ts', 'a log is cut as often as the person comes back to the top'],
    }),
  ];
}

function ofTheMac(): Guard[] {
  return [
    fault('the scripts that the reader may run', {
      file: 'agent/drivers/macos/scripts/reader.js',
      from: 'if (!SCRIPTS.includes(script)) throw',
      to: "if (script === '') throw",
      failed: [MAC_SCRIPTS, 'runs no script that is not in its list'],
    }),
    fault('a turn of the run loop before each call', {
      file: 'agent/drivers/macos/scripts/reader.js',
      from: '$.NSRunLoop.currentRunLoop.runUntilDate(',
      to: 'void (',
      failed: [MAC_SCRIPTS, 'answers each line in order with what the script prints'],
    }),
    fault('the id of an answer', {
      file: 'agent/drivers/macos/script-reader.ts',
      from: 'line.id !== id || ',
      to: '',
      failed: [READER, 'a reader that %s is killed, and the call gets a process of its own'],
    }),
    fault('the process that an answer comes from', {
      file: 'agent/drivers/macos/script-reader.ts',
      from: 'const isCurrent = () => own === reader;',
      to: 'const isCurrent = () => reader !== null;',
      failed: [READER, 'a process that was killed cannot answer for the next one'],
    }),
    fault('the failures after which the reader is not tried again', {
      file: 'agent/drivers/macos/script-reader.ts',
      from: 'failures >= MOST_FAILURES',
      to: 'failures > MOST_FAILURES',
      failed: [READER, 'after three times that it %s, the reader is not tried again'],
    }),
    fault('the calls after which a new process follows', {
      file: 'agent/drivers/macos/script-reader.ts',
      from: 'reader.calls >= MOST_CALLS',
      to: 'reader.calls > MOST_CALLS',
      failed: [READER, 'a new process follows after eight calls'],
    }),
  ];
}

function fault(what: string, { failed: [file, title], ...removed }: Fault): Guard {
  return { row: ROW, removed: { ...removed, what }, failed: { file, title } };
}
