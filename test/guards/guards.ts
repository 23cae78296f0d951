export type Guard = {
  /** Of the attack table. */
  row: string;
  /** What `npm run test:guards` takes out of a copy of the project: `from` is there once, and becomes `to`. */
  removed: { file: string; what: string; from: string; to: string };
  /** A test that then fails. `ranBy` is the file that runs it, where that is another one. */
  failed: { file: string; ranBy?: string; title: string };
};

/** As `Guard`, in fewer lines. `failed`: the file of a test, and its title. */
type Removed = { file: string; from: string; to: string; failed: readonly [file: string, title: string] };

export function guard(row: string, what: string, { file, from, to, failed: [test, title] }: Removed): Guard {
  return { row, removed: { file, what, from, to }, failed: { file: test, title } };
}

const MODEL = {
  file: 'test/services/rail-model.test.ts',
  title: 'whatever is asked, answered and disturbed, nothing runs that nobody allowed',
};

const RENEWAL_TEST = 'test/store/database/renewal.test.ts';

const JUDGED = '    const current = judged(submission, parts);';
/** A submission waits for the agent, and is judged after that. */
const WAITS = [
  '    const isReady = await parts.agents.of(checked.body.targetDeviceId).ready();',
  '    const submission = { ...checked, sight: isReady ? await sightOf(checked, parts) : NOTHING };',
  '    // Meanwhile the person may have stopped everything, changed the rules or revoked a grant, so it is judged only now.',
  JUDGED,
];

/** For every row of the attack table that is about the rail: guards, and the tests that hold them. */
export const GUARDS: readonly Guard[] = [
  guard('A1', 'the objections to a name', {
    file: 'src/contract/app-name.ts',
    from: 'return OBJECTIONS.find(({ applies }) => applies(appName))?.what;',
    to: "return OBJECTIONS.find(({ applies }) => appName === '' && applies(appName))?.what;",
    failed: ['test/domain/catalogue.test.ts', 'parameters that are refused'],
  }),
  guard('A2', 'a caller with x-user-id is no person (requirePerson)', {
    file: 'src/http/identity.ts',
    from: "if (isRequester && method !== 'GET' && method !== 'HEAD') reply.send(PERSON_REQUIRED);",
    to: 'if (isRequester && scope === undefined) reply.send(PERSON_REQUIRED);',
    failed: ['test/http/console.test.ts', 'nobody decides'],
  }),
  guard('A2', 'the session key is looked up (isPerson)', {
    file: 'src/http/identity.ts',
    from: "key !== '' && request.headers['x-user-id'] === undefined && console",
    to: "key !== 'nobody' || console",
    failed: ['test/http/console.test.ts', 'nobody reads what waits'],
  }),
  guard('A2', 'a link that is not one of two is refused (askOfLink)', {
    file: 'src/shell/asks.ts',
    from: "return LINKS.get(link.endsWith('/') ? link.slice(0, -1) : link) ?? 'refused';",
    to: "return LINKS.get(link) ?? 'review';",
    failed: ['test/shell/doors.test.ts', 'by a link is refused and counted, and changes nothing'],
  }),
  guard('A2', 'other data of a second start is refused (askOfSecondStart)', {
    file: 'src/shell/asks.ts',
    from: "secondStart.Check(additionalData) ? additionalData.ask : 'refused'",
    to: "secondStart.Check(additionalData) ? additionalData.ask : 'show'",
    failed: ['test/shell/doors.test.ts', 'by the data of a second start is refused and counted, and changes nothing'],
  }),
  guard('A2', 'an action that was never offered is refused (askOfPress)', {
    file: 'src/shell/asks.ts',
    from: "return NOTICE_ACTIONS[press.index]?.ask ?? 'refused';",
    to: "return NOTICE_ACTIONS[press.index]?.ask ?? 'review';",
    failed: ['test/shell/doors.test.ts', 'by a notification is refused and counted, and changes nothing'],
  }),
  guard('A2', 'what is refused is counted (createDoors)', {
    file: 'src/electron/doors.ts',
    from: 'refused: () => daemon.noteSelfApproval(),',
    to: 'refused: () => void daemon,',
    failed: ['test/shell/doors.test.ts', 'before the daemon is up is counted when it is'],
  }),
  guard('A3', 'nonce and digest are compared', {
    file: 'src/services/confirmations/answer.ts',
    from: 'const isOfPrompt = isForFormer || isSame(decision.nonce, row.nonce);',
    to: 'const isOfPrompt = isForFormer || isSame(row.nonce, row.nonce);',
    failed: ['test/services/confirmations.test.ts', 'with another nonce or digest'],
  }),
  guard('A3', 'a prompt past its time is ended when it is answered', {
    file: 'src/services/confirmations/expiry.ts',
    from: "if (row?.status !== 'pending' || !isOverdue(context, row)) return row;",
    to: 'if (row !== undefined) return row;',
    failed: [
      'test/services/confirmations.test.ts',
      'it expires at its time although the machine was suspended and no timer ran',
    ],
  }),
  guard('A3', 'an answer under other rules is stale', {
    file: 'src/services/confirmations/answer.ts',
    from: 'if (isForFormer || row.policyVersion !== parts.policyVersion) {',
    to: "if (row.policyVersion === '') {",
    failed: ['test/services/rail.test.ts', 'a change of the rules voids a prompt that was given under the old ones'],
  }),
  guard('A4', 'a yes before answerableAt is refused', {
    file: 'src/services/confirmations/answer.ts',
    from: 'if (row.answerableAtMs === undefined || clock.nowMs() < row.answerableAtMs) {',
    to: 'if (clock.nowMs() < 0) {',
    failed: ['test/services/confirmations.test.ts', 'before the delay of its risk is over'],
  }),
  {
    row: 'A4',
    removed: {
      file: 'src/services/confirmations/answer.ts',
      what: 'a yes to high risk without a held press is refused',
      from: 'if (subject.needsPresence && presence.proof === undefined) {',
      to: 'if (subject.needsPresence === undefined && presence.proof === undefined) {',
    },
    failed: MODEL,
  },
  guard('A4', 'a click counts only from a hand, on a button that lives, where the press began when it lived', {
    file: 'renderer/src/prompt/AnswerButtons.tsx',
    from: 'const counts = event.isTrusted && wasPressedAlive.current && isAlive && !mustBeHeld;',
    to: "const counts = event.type === 'click';",
    failed: ['test/browser/attacks.test.ts', 'A4: a click before Allow lives is ignored, however often'],
  }),
  guard('A4', 'Return and Space do nothing on Allow', {
    file: 'renderer/src/prompt/AnswerButtons.tsx',
    from: "if (event.key === 'Enter' || event.key === ' ') event.preventDefault();",
    to: "if (event.key === 'Enter' || event.key === ' ') onAllow();",
    failed: [
      'test/browser/attacks.test.ts',
      'A4: Return and Space never allow, not even on Allow itself, pressed or held',
    ],
  }),
  guard('A5', 'many dangers of one step do not push out those of another (inSteps)', {
    file: 'src/contract/dangers.ts',
    from: 'found.sort((one, other) => one.turn - other.turn).map',
    to: 'found.map',
    failed: ['test/contract/dangers.test.ts', 'A5: many dangers of one step do not push out the only one of another'],
  }),
  guard('A5', 'a path with spaces or marks is quoted in sentences (pathWords)', {
    file: 'src/domain/catalogue/window-words.ts',
    from: '.test(path) ? path : quoted(path);',
    to: '.test(path) ? path : path;',
    failed: ['test/domain/file-actions.test.ts', '%s names its path in quotation marks'],
  }),
  guard('A5', 'marks that pile up on a letter are written out (UNSEEN)', {
    file: 'src/contract/unseen-characters.ts',
    from: '|(?<=\\p{M}{4})\\p{M}/gu;',
    to: '/gu;',
    failed: [
      'test/renderer/visible-text.test.ts',
      'A5: marks that pile up on one letter to cover other lines are written out from the fifth on',
    ],
  }),
  guard('A5', 'what shows nothing is escaped (visible)', {
    file: 'src/services/prompt-words.ts',
    from: "character === '\\n' ? character :",
    to: "character !== '' ? character :",
    failed: [
      'test/services/confirmations.test.ts',
      'the prompt says who asks, what for, with which arguments, and how risky it is',
    ],
  }),
  guard('A6', 'a grant lets only its own arguments through', {
    file: 'src/store/records/rules.ts',
    from: 'AND arguments = :arguments AND',
    to: 'AND :arguments IS NOT NULL AND',
    failed: ['test/services/rail.test.ts', 'let exactly the same through, count their uses, and nothing else'],
  }),
  guard('A6', 'a grant is for exactly these arguments', {
    file: 'src/services/permissions/grants.ts',
    from: 'return { userId, actionType, deviceId, arguments: given };',
    to: "return { userId, actionType, deviceId, arguments: given === '' ? given : '{}' };",
    failed: ['test/services/rail.test.ts', 'let exactly the same through, count their uses, and nothing else'],
  }),
  guard('A6', 'an approval is consumed with the dispatch', {
    file: 'src/services/actions/dispatch.ts',
    from: 'approval.actionDigest !== row.digest || !store.confirmations.consume(approval.id, atMs)',
    to: 'approval.actionDigest !== row.digest',
    failed: ['test/services/confirmations.test.ts', 'allowed by the person, it is sent, and its approval is spent'],
  }),
  guard('A6', 'what waited for the agent is judged when the agent is there', {
    file: 'src/services/actions/submission.ts',
    from: WAITS.join('\n'),
    to: [JUDGED.replace('submission', '{ ...checked, sight: NOTHING }'), ...WAITS.slice(0, -1)].join('\n'),
    failed: ['test/services/rail.test.ts', 'what waits for the agent is judged by the rules there are when it comes'],
  }),
  guard('A6', 'a change of the rules calls off what was not sent', {
    file: 'src/services/permissions/permissions.ts',
    from: '    callOff.begin();\n',
    to: '',
    failed: [
      'test/services/rail.test.ts',
      'a change of the rules calls off what was let through under the old ones and not sent',
    ],
  }),
  guard('A7', 'a picture is of medium risk', {
    file: 'src/domain/catalogue/screen.ts',
    from: "assessRisk({ level: 'medium', reason",
    to: "assessRisk({ level: 'low', reason",
    failed: ['test/services/confirmations.test.ts', 'an action of medium risk waits for a person and is not sent'],
  }),
  guard('A8', 'a code is forgotten when it is used', {
    file: 'src/services/sessions/sign-in-codes.ts',
    from: '        current = undefined;\n        if (clock',
    to: '        if (clock',
    failed: ['test/services/confirmations.test.ts', 'opens with a fresh code, once'],
  }),
  guard('A8', 'a code ends after ten minutes', {
    file: 'src/services/sessions/sign-in-codes.ts',
    from: 'if (clock.nowMs() < found.expiresAtMs) return',
    to: 'return',
    failed: ['test/services/confirmations.test.ts', 'does not open with a code older than ten minutes'],
  }),
  {
    row: 'A8',
    removed: {
      file: 'src/services/sessions/live-sessions.ts',
      what: 'a session that was ended is forgotten (end)',
      from: '    sessions.delete(digest);\n',
      to: '',
    },
    failed: {
      file: 'test/e2e/console-attacks.ts',
      ranBy: 'test/e2e/attacks.test.ts',
      title: 'the key of an ended session',
    },
  },
  guard('A8', 'sessions of the run before are taken up once', {
    file: 'src/services/sessions/live-sessions.ts',
    from: '        forget();\n',
    to: '',
    failed: [
      'test/services/sessions/sessions.test.ts',
      'is taken up once: after a crash no session comes back, also none that was ended meanwhile',
    ],
  }),
  guard('A8', 'a kept session without a code that could end it is not taken up', {
    file: 'src/services/sessions/live-sessions.ts',
    from: '    lineage.length > 0 &&\n',
    to: '',
    failed: ['test/services/sessions/sessions.test.ts', '%s is not taken up'],
  }),
  guard('A8', 'a stream ends with its session', {
    file: 'src/http/routes/events.ts',
    from: '...(parts.ended ? [parts.ended] : [])',
    to: '...(parts.ended ? [] : [])',
    failed: ['test/http/console.test.ts', 'signing out ends the session and the stream it had open'],
  }),
  guard('A10', 'a code that is entered again ends the session it opened', {
    file: 'src/services/sessions/sessions.ts',
    from: 'lineage.includes(digest)',
    to: "lineage.includes('')",
    failed: [
      'test/services/sessions/sessions.test.ts',
      'ends the session it opened, and tells both programs that used it',
    ],
  }),
  guard('D3', 'a sign-in takes 1 KiB', {
    file: 'src/http/routes/console-sessions.ts',
    from: ', bodyLimit: MAX_SIGN_IN_BYTES }',
    to: ' }',
    failed: ['test/http/console-sessions.test.ts', 'sign-in takes a body of 1 KiB, and none that is a byte larger'],
  }),
  guard('U2', 'the page and the console answer under 127.0.0.1 only', {
    file: 'src/http/perimeter.ts',
    from: 'return String(headers.host).startsWith(',
    to: "return headers.host !== '' || String(headers.host).startsWith(",
    failed: [
      'test/http/printed-host.test.ts',
      'the console is refused under the name localhost, with the address to use: sign-in, reads and writes',
    ],
  }),
  guard('A9', 'what is forbidden is blocked under every profile', {
    file: 'src/domain/profile.ts',
    from: 'if (each.assessment.forbidden !== undefined) return',
    to: "if (each.assessment.forbidden === '') return",
    failed: ['test/domain/profile.test.ts', 'a forbidden action is blocked even where a rule allows everything'],
  }),
  guard('S1', 'the hashes of a row are compared', {
    file: 'src/store/journal/audit.ts',
    from: 'row.previous_hash.equals(previous.hash) && row.hash.equals(expected)',
    to: 'expected.length > 0',
    failed: ['test/store/store.test.ts', 'shows where a row was %s behind its back'],
  }),
  guard('S1', 'a missing end is written into the journal at start', {
    file: 'src/store/store.ts',
    from: 'if (fault !== undefined) writer.write(',
    to: 'if (fault !== undefined && found?.seq === 0) writer.write(',
    failed: [
      'test/store/store.test.ts',
      'S3: says for good that its anchor was removed before a start, though the store writes another',
    ],
  }),
  {
    row: 'L1',
    removed: {
      file: 'src/services/actions/create.ts',
      what: 'the reason of a request is not in its journal row',
      from: '      digest: row.digest,\n',
      to: "      digest: row.digest,\n      reason: row.reason ?? '',\n",
    },
    failed: {
      file: 'test/e2e/secrets.ts',
      ranBy: 'test/e2e/attacks.test.ts',
      title: 'L1: no code, key, reason, name, text or image byte is in any log line or journal row',
    },
  },
  guard('A6', 'plans are void when the rules change', {
    file: 'src/services/wiring.ts',
    from: '    confirmations.plans.makeOutdatedVoid();\n',
    to: '',
    failed: [
      'test/services/plan-approval.test.ts',
      'a plan that waits is void when the rules change: each step asks by itself, or needs no yes any more',
    ],
  }),
  guard('A6', 'a plan that waits does not outlive the daemon', {
    file: 'src/services/lifecycle/lifecycle.ts',
    from: '...(isStopped ? [] : [confirmations.plans.endOfRun])',
    to: '...(isStopped ? [confirmations.plans.endOfRun] : [])',
    failed: ['test/services/plan-approval.test.ts', 'when the daemon was restarted, also after another restart'],
  }),
  guard('U1', 'other OS users are refused (createPeerGate)', {
    file: 'src/peers/gate.ts',
    from: 'peer.uid !== ROOT && !served.includes(peer.uid)',
    to: 'served.length === 0',
    failed: ['test/peers/gate.test.ts', 'another user ('],
  }),
  guard('U1', 'a socket that its process has closed is not one of root (peerOf)', {
    file: 'src/peers/linux-peers.ts',
    from: "row.inode === 0 ? { kind: 'gone' } : { kind: 'user', ...row }",
    to: "{ kind: 'user', ...row }",
    failed: ['test/peers/linux-peers.test.ts', 'a socket that its process has closed is not taken for one of root'],
  }),
  guard('S3', 'a missing anchor beside rows is a fault (endFault)', {
    file: 'src/store/journal/audit.ts',
    from: 'return seq === 0 ? undefined',
    to: 'return seq >= 0 ? undefined',
    failed: ['test/store/store.test.ts', 'S3: shows that its anchor was removed'],
  }),
  guard('S4', 'an empty journal beside records is a fault', {
    file: 'src/store/journal/audit.ts',
    from: 'if (seq === 0 && hasRecords(database))',
    to: 'if (seq < 0 && hasRecords(database))',
    failed: ['test/store/store.test.ts', 'S4: shows that all of its rows were removed'],
  }),
  guard('S4', 'a missing key is a fault where the anchor is signed', {
    file: 'src/store/journal/audit.ts',
    from: 'if (key === undefined) return NO_KEY;',
    to: 'if (key === undefined) return undefined;',
    failed: ['test/store/store.test.ts', 'S4: shows that its key was %s'],
  }),
  guard('S5', 'a new database gets the rules, keys and pauses of the second copy', {
    file: 'src/store/database/renewal.ts',
    from: 'if (protections !== undefined) layProtections(database, protections);',
    to: 'if (protections !== undefined) readProtectionsFile(protectionsPath);',
    failed: [RENEWAL_TEST, 'has lost every page but the first'],
  }),
  guard('S5', 'everybody has lockdown where the rules are lost', {
    file: 'src/store/database/renewal.ts',
    from: 'else if (!areRulesKept) lockDown(database);',
    to: 'else if (areRulesKept) lockDown(database);',
    failed: [RENEWAL_TEST, 'has lost its rules, and the second copy too'],
  }),
  guard('S5', 'everything is stopped after a renewal', {
    file: 'src/store/database/renewal.ts',
    from: '    stopEverything(database, atMs);\n',
    to: '',
    failed: [RENEWAL_TEST, 'and its second copy are lost: everything is stopped'],
  }),
  guard('S5', 'an empty database is damage where there was one before', {
    file: 'src/store/store.ts',
    from: 'if ((readAnchor(anchor)?.seq ?? 0) > 0) return true;',
    to: 'if ((readAnchor(anchor)?.seq ?? 0) > 0) return false;',
    failed: [RENEWAL_TEST, 'S5: what the person closed stays closed after the database'],
  }),
  guard('S6', 'nothing is written where the database is not in its place', {
    file: 'src/store/writer.ts',
    from: 'if (place.isLeft()) throw new StorageUnavailable(MOVED);',
    to: '',
    failed: ['test/store/database/place.test.ts', 'S6: a database that was %s is not written to'],
  }),
  guard('S6', 'the agent is told to stop where the database is not in its place', {
    file: 'src/services/lifecycle/storage-watch.ts',
    from: '    stop.pause();\n',
    to: '',
    failed: [
      'test/services/lifecycle/storage-watch.test.ts',
      'S6: once the database was moved away nothing is taken, the agent is told to stop',
    ],
  }),
];
