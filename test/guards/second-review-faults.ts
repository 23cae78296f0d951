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
      mark: 'E2-1',
      becomes: "const key = `${script.length} ${hash('sha256', script)} ${hash('sha256', JSON.stringify(env))}`;",
      failed: [DOMAIN, 'the same text has the dangers of the language in which it runs, one after the other'],
    }),
    fault('the length up to which a path that a script names is looked at', {
      mark: 'E2-2',
      becomes: 'if (path.length > 100) return undefined;',
      failed: [DOMAIN, 'D4: a path of %d characters is looked at'],
    }),
    fault('the folder from which a second cd leads on', {
      mark: 'E2-3',
      becomes: "folder.path = readArguments(call.args).operands[0] ?? '~';",
      failed: [DOMAIN, 'a path is below all folders that the script went to: %s'],
    }),
    fault('the ending of a script in capital letters', {
      mark: 'E2-4',
      becomes: "const name = path.slice(path.lastIndexOf('/') + 1);",
      failed: [DOMAIN, 'a file is a script by the ending of its name in any case: %s'],
    }),
    fault('the Library of a Mac as a place of settings', {
      mark: 'E2-5',
      becomes: 'const SETTINGS = /\\/(?:\\.[^/])/u;',
      failed: [DOMAIN, 'a script in %s is in a place of settings: %s'],
    }),
    fault('the second path of a move in what a denial is about', {
      mark: 'E2-6',
      becomes: "denialTarget: looked.slice(0, 1).map(({ path, found }) => found?.realPath ?? path).join('\\n'),",
      failed: [DOMAIN, 'the denial of a move is about both of its paths'],
    }),
    fault('the word for a write of which nobody knows whether it replaces a file', {
      mark: 'E2-7',
      becomes: "const replaces = overwrite && found?.kind === 'file';",
      failed: [DOMAIN, 'a write where what stands there %s is told'],
    }),
    fault('the network that providers share', {
      mark: 'E2-8',
      becomes:
        "...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/16', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],",
      failed: [SCRIPTS, 'X9: the address %s of the network that providers share'],
    }),
    fault('the number of processes of a script', {
      mark: 'E2-9',
      becomes: 'if (pids.length > LIMITS.processes + 1) return `more than ${LIMITS.processes} processes`;',
      failed: [SCRIPTS, 'X6: a script with %d processes beside its first one takes too much'],
    }),
    fault('a look at the folder that was stopped before its end', {
      mark: 'E2-10',
      becomes: "const changedFilesComplete = end !== 'too many' && kept.length === found.length;",
      failed: [SCRIPTS, 'changes are said to be incomplete where the folder could not be looked over again'],
    }),
  ];
}

function ofFiles(): Guard[] {
  return [
    fault('a secret three levels down in a folder that is moved', {
      mark: 'E2-11',
      becomes:
        "if (isFolder && !isClosed(path) && !folder.name.includes('/')) open.push({ realPath: path, identity: identityOf(facts), name });",
      failed: [FILES, 'F5: a folder is not moved with the secret %s in it'],
    }),
    fault('the depth to which a folder is listed', {
      mark: 'E2-12',
      becomes: "if (prefix.split('/').filter(Boolean).length >= walk.depth) return true;",
      failed: [FILES, 'ListFiles with the depth %d lists so many levels'],
    }),
    fault('a folder that was left out before one that was not', {
      mark: 'E2-13',
      becomes: 'isWhole = added === true;',
      failed: [FILES, 'ListFiles says that a list is not complete when a folder in it could not be opened'],
    }),
    fault('the right to run as another user, of a file that is overwritten', {
      mark: 'E2-14',
      becomes: 'return Number(mode) & 0o7777;',
      failed: [FILES, 'WriteFile takes the rights to run as another user from a file that it overwrites'],
    }),
    fault('an empty folder that has the name to which something moves', {
      mark: 'E2-15',
      becomes: "if (target.kind === 'file')",
      failed: [FILES, 'MoveFile does not move a %s over an empty folder'],
    }),
    fault('a null character in what is read as text', {
      mark: 'E2-16',
      becomes: 'return text;',
      failed: [FILES, 'ReadFile gives no text that holds a null character'],
    }),
    fault('the last look at a file before it is replaced', {
      mark: 'E2-17',
      becomes: '',
      failed: [FILES, 'F2: WriteFile does not replace a file that took the name after the former one was kept'],
    }),
    fault('the contents that are read back', {
      mark: 'E2-18',
      becomes: "const isConfirmed = sha256 !== '';",
      failed: [FILES, 'WriteFile does not confirm contents that are no longer there when it reads them back'],
    }),
    fault('a file that is touched while its contents are compared', {
      mark: 'F6-1',
      becomes: "return sha256 === left.sha256 && isSame(identityOf(facts), left.identity) ? 'left' : 'other';",
      failed: [FILES, 'F6: a file that is touched while an undo reads it stays as it is'],
    }),
    fault('the description of a file that did not get to the trash', {
      mark: 'E2-19',
      becomes: '',
      failed: [FILES, 'a file that cannot be moved to the trash leaves no description there'],
    }),
    fault('an app that is remembered after the agent found another one', {
      mark: 'E2-20',
      becomes: '',
      failed: ['test/services/hidden-risk.test.ts', 'finds the app anew, once the agent has found another one'],
    }),
  ];
}

function ofPrompts(): Guard[] {
  return [
    fault('the risk of a step that rose after its plan was approved', {
      mark: 'E2-21',
      becomes: "const isAsAsked = covered.digest === now.digest && isAtLeast(covered.riskLevel, 'low');",
      failed: [
        'test/services/plan-approval.test.ts',
        'an approved plan does not cover a step whose risk has risen since',
      ],
    }),
    fault('a hold from before a denial that was undone', {
      mark: 'E2-22',
      becomes: '',
      failed: ['test/services/undo.test.ts', 'a hold from before a denial does not allow after the denial was undone'],
    }),
    fault('the turn of a stranger', {
      mark: 'E2-23',
      becomes: 'if (rankOf(userId) !== RANK.stranger) lastTurns.set(userId, count);',
      failed: ['test/services/prompt-order.test.ts', 'a stranger that was answered comes after the other strangers'],
    }),
    fault('turns from before nothing waited', {
      mark: 'E2-24',
      becomes: '',
      failed: ['test/services/prompt-order.test.ts', 'once nothing waits, nobody is owed a turn'],
    }),
    fault('the script in the length of a prompt', {
      mark: 'E2-25',
      becomes: 'if (script !== undefined) return [...(script.environment ?? [])];',
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
      mark: 'E2-26',
      becomes: '',
      failed: [SESSIONS, 'a fresh sign-in code is good for as many wrong ones again'],
    }),
    fault('the end of a session that was idle while the computer was suspended', {
      mark: 'E2-27',
      becomes: 'if (clock.nowMs() < 0) {',
      failed: [SESSIONS, 'a session that was idle while the computer was suspended for %d ms'],
    }),
    fault('the session whose codes end with it', {
      mark: 'E2-28',
      becomes:
        'const live = createLiveSessions(clock, programs, ({ lineage }) => codes.endMadeAfter(String(lineage.at(0))));',
      failed: [SESSIONS, 'the end of a session leaves the unused code of the session that it came from'],
    }),
  ];
}

function ofCallers(): Guard[] {
  return [
    fault('a reader that was refused an answer and has read another since', {
      mark: 'E2-29',
      becomes: '',
      failed: [
        'test/http/unread-answers.test.ts',
        'a reader that was refused an answer gets one once it has read another, whatever others leave unread',
      ],
    }),
    fault('the rest of the thread after a long slice of work', {
      mark: 'E2-30',
      becomes: 'else serve();',
      failed: ['test/services/work/turns.test.ts', 'a slice of work %s'],
    }),
    fault('the places of others, which calls of the person do not take', {
      mark: 'E2-31',
      becomes: 'inAll += by;',
      failed: ['test/http/open-calls.test.ts', 'the calls of the person take no places of others'],
    }),
    fault('the calls of the person, which wait for no requester', {
      mark: 'E2-32',
      becomes: 'if (!this.routeOptions.config.unlimited) await nextTurn(requesterKey(this));',
      failed: ['test/http/turns.test.ts', 'the person and the checks of health wait for no requester, and lists'],
    }),
    fault('the program that made a connection, which another one now uses', {
      mark: 'E2-33',
      becomes: 'const program = comparedProgram(await find(socket), before);',
      failed: [
        'test/http/changed-programs.test.ts',
        'P2: a program that leaves its connection to a child is shown as changed',
      ],
    }),
    fault('the start time of a process whose id passed to another one', {
      mark: 'E2-34',
      becomes: 'const isSame = [connected, running].every((each) => processes.startOf(each.pid) !== undefined);',
      failed: [
        'test/peers/linux-programs.test.ts',
        'an id that passes to another process while its parents are looked at',
      ],
    }),
    fault('the user of the process before', {
      mark: 'E2-35',
      becomes: "if (line[0] === 'p') pid = Number(value);",
      failed: [
        'test/peers/macos-peers.test.ts',
        'a process whose user lsof does not tell is not taken for one of the user before',
      ],
    }),
    fault('the user in the made-up name of a step', {
      mark: 'E2-36',
      becomes: "const step = `${''}\\n${stepId}`;",
      failed: ['test/services/viewer.test.ts', 'steps that two users call alike have names of their own'],
    }),
  ];
}

function ofInsights(): Guard[] {
  return [
    fault('an insight that was over when the person acknowledged it', {
      mark: 'E2-37',
      becomes: 'if (episode === undefined) return episode;',
      failed: [
        'test/services/insight-book.test.ts',
        'tells of a warning that was over when the person acknowledged it, once it returns',
      ],
    }),
    fault('the length of the window whose score is remembered', {
      mark: 'E2-38',
      becomes: 'const score = scores(`${span.toMs} ${span.toMs}`, () => scoreOfPast(span));',
      failed: ['test/services/risk.test.ts', 'of two windows that ended at the same time has a score for each'],
    }),
    fault('the windows for which a cause is known', {
      mark: 'E2-39',
      becomes: 'return live().find((mark) => mark.cause === cause);',
      failed: [CAUSES, 'a mark is for its own cause, and for windows that end after it'],
    }),
    fault('a window that begins after its cause was marked', {
      mark: 'E2-40',
      becomes: 'if (mark === undefined) return all;',
      failed: [CAUSES, 'a window that begins after the mark counts all its failures, as does one without a mark'],
    }),
    fault('a grant of this very millisecond', {
      mark: 'E2-41',
      becomes: 'lately: grants.given(latelyMs, nowMs),',
      failed: [
        'test/services/grants-given.test.ts',
        'grants of the last two weeks are counted to this very millisecond',
      ],
    }),
    fault('the first day of the weeks that grants are compared with', {
      mark: 'E2-42',
      becomes: 'const fromMs = Math.min(firstMs, latelyMs - mostDaysBefore * DAY_MS);',
      failed: [
        'test/services/grants-given.test.ts',
        'weeks before the first requester was seen are none to compare with',
      ],
    }),
    fault('a first requester who was seen within the last two weeks', {
      mark: 'E2-43',
      becomes: 'const firstMs = users.firstSeenAtMs() ?? latelyMs;',
      failed: [
        'test/services/grants-given.test.ts',
        'weeks before the first requester was seen are none to compare with',
      ],
    }),
    fault('insights after the clock was set back', {
      mark: 'E2-44',
      becomes: 'if (clock.nowMs() - lookedAtMs >= MINUTE_MS) look();',
      failed: ['test/services/insights.test.ts', 'is found after the clock was set back'],
    }),
    fault('the answers before a streak of denials', {
      mark: 'E2-45',
      becomes: 'const before = answers.filter(({ decidedAtMs }) => decidedAtMs <= sinceMs);',
      failed: [SENTENCES, 'the denials of a streak are no part of the usual share of denials'],
    }),
    fault('an insight that nobody looked at for long while it was open', {
      mark: 'E2-46',
      becomes: 'const isNews = atMs - before.lastSeenMs >= NEWS_AGAIN_MS;',
      failed: ['test/guardian/insights/episode.test.ts', 'a %s insight that is found again after %i ms was told as %s'],
    }),
    fault('a requester of whom there are too many requests to know', {
      mark: 'E2-47',
      becomes: 'if (shown.length === 0) return [];',
      failed: [SENTENCES, 'a new requester is told of where there are too many requests to know that it made none'],
    }),
  ];
}

function ofThePage(): Guard[] {
  return [
    fault('the newer notification, when an older one fails', {
      mark: 'E2-48',
      becomes: 'shown = undefined;',
      failed: ['test/shell/notices.test.ts', 'a notification that fails late does not make the newer one be forgotten'],
    }),
    fault('the notice of a call that did not work', {
      mark: 'E2-49',
      becomes: "if (!answer.ok) show({ tone: 'done', text: failureSentence(answer.failure) });",
      failed: ['test/renderer/notices.test.ts', 'a call that did not work is said as a problem, with its reason'],
    }),
    fault('a filter without a value', {
      mark: 'E2-50',
      becomes: "if (known !== undefined) query.set(known, name === 'text' ? withoutTilde(value, home) : value);",
      failed: [
        'test/renderer/activity-filters.test.ts',
        'a filter without a value, or that is not known, is no part of',
      ],
    }),
    fault('the place at which a log was cut', {
      mark: 'E2-51',
      becomes: 'noted = noted.slice(0, index);',
      failed: ['test/renderer/activity-log.test.ts', 'a log is cut as often as the person comes back to the top'],
    }),
  ];
}

function ofTheMac(): Guard[] {
  return [
    fault('the scripts that the reader may run', {
      mark: 'E2-52',
      becomes: "if (script === '') throw new Error('this is no script that only reads');",
      failed: [MAC_SCRIPTS, 'runs no script that is not in its list'],
    }),
    fault('a turn of the run loop before each call', {
      mark: 'E2-53',
      becomes: 'void ($.NSDate.dateWithTimeIntervalSinceNow(TURN_SECONDS));',
      failed: [MAC_SCRIPTS, 'answers each line in order with what the script prints'],
    }),
    fault('the id of an answer', {
      mark: 'E2-54',
      becomes: "if (!isRecord(line) || line.ok !== true || typeof line.output !== 'string') return null;",
      failed: [READER, 'a reader that %s is killed, and the call gets a process of its own'],
    }),
    fault('the process that an answer comes from', {
      mark: 'E2-55',
      becomes: 'const isCurrent = () => reader !== null;',
      failed: [READER, 'a process that was killed cannot answer for the next one'],
    }),
    fault('the failures after which the reader is not tried again', {
      mark: 'E2-56',
      becomes: 'const isOut = script === undefined || line.isBusy() || isClosed || failures > MOST_FAILURES;',
      failed: [READER, 'after three times that it %s, the reader is not tried again'],
    }),
    fault('the calls after which a new process follows', {
      mark: 'E2-57',
      becomes: 'else if (reader !== null && reader.calls > MOST_CALLS) stop();',
      failed: [READER, 'a new process follows after eight calls'],
    }),
  ];
}

function fault(what: string, { failed: [file, title], ...removed }: Fault): Guard {
  return { row: ROW, removed: { ...removed, what }, failed: { file, title } };
}
