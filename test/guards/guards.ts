export type Guard = {
  /** Of the attack table. */
  row: string;
  /** What `npm run test:guards` takes out of a copy of the project: `from` is there once, and becomes `to`. */
  removed: { file: string; what: string; from: string; to: string };
  /** A test that then fails. `ranBy` is the file that runs it, where that is another one. */
  failed: { file: string; ranBy?: string; title: string };
};

const MODEL = {
  file: 'test/services/rail-model.test.ts',
  title: 'whatever is asked, answered and disturbed, nothing runs that nobody allowed',
};

const RENEWAL_TEST = 'test/store/database/renewal.test.ts';

const JUDGED = '    const current = judged(submission, parts);';
/** A submission waits for the agent, and is judged after that. */
const WAITS = [
  '    const isReady = await parts.agentReady();',
  '    const submission = { ...checked, sight: isReady ? await sightOf(checked, parts) : NOTHING };',
  '    // Meanwhile the person may have stopped everything, changed the rules or revoked a grant, so it is judged only now.',
  JUDGED,
];

/** For every row of the attack table that is about the rail: guards, and the tests that hold them. */
export const GUARDS: readonly Guard[] = [
  {
    row: 'A1',
    removed: {
      file: 'src/contract/app-name.ts',
      what: 'the objections to a name',
      from: 'return OBJECTIONS.find(({ applies }) => applies(appName))?.what;',
      to: "return OBJECTIONS.find(({ applies }) => appName === '' && applies(appName))?.what;",
    },
    failed: { file: 'test/domain/catalogue.test.ts', title: 'parameters that are refused' },
  },
  {
    row: 'A2',
    removed: {
      file: 'src/http/identity.ts',
      what: 'a caller with x-user-id is no person (requirePerson)',
      from: "if (isRequester && method !== 'GET' && method !== 'HEAD') reply.send(PERSON_REQUIRED);",
      to: 'if (isRequester && scope === undefined) reply.send(PERSON_REQUIRED);',
    },
    failed: { file: 'test/http/console.test.ts', title: 'nobody decides' },
  },
  {
    row: 'A2',
    removed: {
      file: 'src/http/identity.ts',
      what: 'the session key is looked up (isPerson)',
      from: "key !== '' && request.headers['x-user-id'] === undefined && console",
      to: "key !== 'nobody' || console",
    },
    failed: { file: 'test/http/console.test.ts', title: 'nobody reads what waits' },
  },
  {
    row: 'A2',
    removed: {
      file: 'src/shell/asks.ts',
      what: 'a link that is not one of two is refused (askOfLink)',
      from: "return LINKS.get(link.endsWith('/') ? link.slice(0, -1) : link) ?? 'refused';",
      to: "return LINKS.get(link) ?? 'review';",
    },
    failed: { file: 'test/shell/doors.test.ts', title: 'by a link is refused and counted, and changes nothing' },
  },
  {
    row: 'A2',
    removed: {
      file: 'src/shell/asks.ts',
      what: 'other data of a second start is refused (askOfSecondStart)',
      from: "secondStart.Check(additionalData) ? additionalData.ask : 'refused'",
      to: "secondStart.Check(additionalData) ? additionalData.ask : 'show'",
    },
    failed: {
      file: 'test/shell/doors.test.ts',
      title: 'by the data of a second start is refused and counted, and changes nothing',
    },
  },
  {
    row: 'A2',
    removed: {
      file: 'src/shell/asks.ts',
      what: 'an action that was never offered is refused (askOfPress)',
      from: "return NOTICE_ACTIONS[press.index]?.ask ?? 'refused';",
      to: "return NOTICE_ACTIONS[press.index]?.ask ?? 'review';",
    },
    failed: {
      file: 'test/shell/doors.test.ts',
      title: 'by a notification is refused and counted, and changes nothing',
    },
  },
  {
    row: 'A2',
    removed: {
      file: 'src/electron/doors.ts',
      what: 'what is refused is counted (createDoors)',
      from: 'refused: () => daemon.noteSelfApproval(),',
      to: 'refused: () => void daemon,',
    },
    failed: { file: 'test/shell/doors.test.ts', title: 'before the daemon is up is counted when it is' },
  },
  {
    row: 'A3',
    removed: {
      file: 'src/services/confirmations/answer.ts',
      what: 'nonce and digest are compared',
      from: 'const isOfPrompt = isForFormer || isSame(decision.nonce, row.nonce);',
      to: 'const isOfPrompt = isForFormer || isSame(row.nonce, row.nonce);',
    },
    failed: { file: 'test/services/confirmations.test.ts', title: 'with another nonce or digest' },
  },
  {
    row: 'A3',
    removed: {
      file: 'src/services/confirmations/expiry.ts',
      what: 'a prompt past its time is ended when it is answered',
      from: "if (row?.status !== 'pending' || !isOverdue(context, row)) return row;",
      to: 'if (row !== undefined) return row;',
    },
    failed: {
      file: 'test/services/confirmations.test.ts',
      title: 'it expires at its time although the machine was suspended and no timer ran',
    },
  },
  {
    row: 'A3',
    removed: {
      file: 'src/services/confirmations/answer.ts',
      what: 'an answer under other rules is stale',
      from: 'if (isForFormer || row.policyVersion !== parts.policyVersion) {',
      to: "if (row.policyVersion === '') {",
    },
    failed: {
      file: 'test/services/rail.test.ts',
      title: 'a change of the rules voids a prompt that was given under the old ones',
    },
  },
  {
    row: 'A4',
    removed: {
      file: 'src/services/confirmations/answer.ts',
      what: 'a yes before answerableAt is refused',
      from: 'if (row.answerableAtMs === undefined || clock.nowMs() < row.answerableAtMs) {',
      to: 'if (clock.nowMs() < 0) {',
    },
    failed: { file: 'test/services/confirmations.test.ts', title: 'before the delay of its risk is over' },
  },
  {
    row: 'A4',
    removed: {
      file: 'src/services/confirmations/answer.ts',
      what: 'a yes to high risk without a held press is refused',
      from: 'if (subject.needsPresence && presence.proof === undefined) {',
      to: "if (isAtLeast('low', subject.level) && presence.proof === undefined) {",
    },
    failed: MODEL,
  },
  {
    row: 'A4',
    removed: {
      file: 'renderer/src/prompt/AllowButton.tsx',
      what: 'a click counts only from a hand, on a button that lives, where the press began when it lived',
      from: 'const counts = event.isTrusted && wasPressedAlive.current && isAlive && !mustBeHeld;',
      to: "const counts = event.type === 'click';",
    },
    failed: { file: 'test/browser/attacks.test.ts', title: 'A4: a click before Allow lives is ignored, however often' },
  },
  {
    row: 'A4',
    removed: {
      file: 'renderer/src/prompt/AllowButton.tsx',
      what: 'Return and Space do nothing on Allow',
      from: "if (event.key === 'Enter' || event.key === ' ') event.preventDefault();",
      to: "if (event.key === 'Enter' || event.key === ' ') onAllow();",
    },
    failed: {
      file: 'test/browser/attacks.test.ts',
      title: 'A4: Return and Space never allow, not even on Allow itself, pressed or held',
    },
  },
  {
    row: 'A5',
    removed: {
      file: 'src/contract/dangers.ts',
      what: 'many dangers of one step do not push out those of another (inSteps)',
      from: 'found.sort((one, other) => one.turn - other.turn).map',
      to: 'found.map',
    },
    failed: {
      file: 'test/contract/dangers.test.ts',
      title: 'A5: many dangers of one step do not push out the only one of another',
    },
  },
  {
    row: 'A5',
    removed: {
      file: 'src/domain/catalogue/window-words.ts',
      what: 'a path with spaces or marks is quoted in sentences (pathWords)',
      from: '.test(path) ? path : quoted(path);',
      to: '.test(path) ? path : path;',
    },
    failed: { file: 'test/domain/file-actions.test.ts', title: '%s names its path in quotation marks' },
  },
  {
    row: 'A5',
    removed: {
      file: 'src/contract/unseen-characters.ts',
      what: 'marks that pile up on a letter are written out (UNSEEN)',
      from: '|(?<=\\p{M}{4})\\p{M}/gu;',
      to: '/gu;',
    },
    failed: {
      file: 'test/renderer/visible-text.test.ts',
      title: 'A5: marks that pile up on one letter to cover other lines are written out from the fifth on',
    },
  },
  {
    row: 'A5',
    removed: {
      file: 'src/services/prompt-words.ts',
      what: 'what shows nothing is escaped (visible)',
      from: "character === '\\n' ? character :",
      to: "character !== '' ? character :",
    },
    failed: {
      file: 'test/services/confirmations.test.ts',
      title: 'the prompt says who asks, what for, with which arguments, and how risky it is',
    },
  },
  {
    row: 'A6',
    removed: {
      file: 'src/store/records/grants.ts',
      what: 'a grant lets only its own arguments through',
      from: 'AND arguments = :arguments AND',
      to: 'AND :arguments IS NOT NULL AND',
    },
    failed: {
      file: 'test/services/rail.test.ts',
      title: 'let exactly the same through, count their uses, and nothing else',
    },
  },
  {
    row: 'A6',
    removed: {
      file: 'src/services/permissions/grants.ts',
      what: 'a grant is for exactly these arguments',
      from: 'return { userId, actionType, deviceId, arguments: given };',
      to: "return { userId, actionType, deviceId, arguments: given === '' ? given : '{}' };",
    },
    failed: {
      file: 'test/services/rail.test.ts',
      title: 'let exactly the same through, count their uses, and nothing else',
    },
  },
  {
    row: 'A6',
    removed: {
      file: 'src/services/actions/dispatch.ts',
      what: 'an approval is consumed with the dispatch',
      from: 'approval.actionDigest !== row.digest || !store.confirmations.consume(approval.id, atMs)',
      to: 'approval.actionDigest !== row.digest',
    },
    failed: {
      file: 'test/services/confirmations.test.ts',
      title: 'allowed by the person, it is sent, and its approval is spent',
    },
  },
  {
    row: 'A6',
    removed: {
      file: 'src/services/actions/submission.ts',
      what: 'what waited for the agent is judged when the agent is there',
      from: WAITS.join('\n'),
      to: [JUDGED.replace('submission', '{ ...checked, sight: NOTHING }'), ...WAITS.slice(0, -1)].join('\n'),
    },
    failed: {
      file: 'test/services/rail.test.ts',
      title: 'what waits for the agent is judged by the rules there are when it comes',
    },
  },
  {
    row: 'A6',
    removed: {
      file: 'src/services/permissions/permissions.ts',
      what: 'a change of the rules calls off what was not sent',
      from: '    callOff.begin();\n',
      to: '',
    },
    failed: {
      file: 'test/services/rail.test.ts',
      title: 'a change of the rules calls off what was let through under the old ones and not sent',
    },
  },
  {
    row: 'A7',
    removed: {
      file: 'src/domain/catalogue/take-screenshot.ts',
      what: 'a picture is of medium risk',
      from: "assessRisk({ level: 'medium', reason",
      to: "assessRisk({ level: 'low', reason",
    },
    failed: {
      file: 'test/services/confirmations.test.ts',
      title: 'an action of medium risk waits for a person and is not sent',
    },
  },
  {
    row: 'A8',
    removed: {
      file: 'src/services/sessions/sign-in-codes.ts',
      what: 'a code is forgotten when it is used',
      from: '        current = undefined;\n        if (clock',
      to: '        if (clock',
    },
    failed: { file: 'test/services/confirmations.test.ts', title: 'opens with a fresh code, once' },
  },
  {
    row: 'A8',
    removed: {
      file: 'src/services/sessions/sign-in-codes.ts',
      what: 'a code ends after ten minutes',
      from: 'if (clock.nowMs() < found.expiresAtMs) return',
      to: 'return',
    },
    failed: { file: 'test/services/confirmations.test.ts', title: 'does not open with a code older than ten minutes' },
  },
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
  {
    row: 'A8',
    removed: {
      file: 'src/services/sessions/kept-sessions.ts',
      what: 'sessions of the run before are taken up once',
      from: '        forget();\n',
      to: '',
    },
    failed: {
      file: 'test/services/sessions/sessions.test.ts',
      title: 'is taken up once: after a crash no session comes back, also none that was ended meanwhile',
    },
  },
  {
    row: 'A8',
    removed: {
      file: 'src/services/sessions/kept-sessions.ts',
      what: 'a kept session without a code that could end it is not taken up',
      from: '    lineage.length > 0 &&\n',
      to: '',
    },
    failed: {
      file: 'test/services/sessions/sessions.test.ts',
      title: '%s is not taken up',
    },
  },
  {
    row: 'A8',
    removed: {
      file: 'src/http/routes/events.ts',
      what: 'a stream ends with its session',
      from: '...(parts.ended ? [parts.ended] : [])',
      to: '...(parts.ended ? [] : [])',
    },
    failed: { file: 'test/http/console.test.ts', title: 'signing out ends the session and the stream it had open' },
  },
  {
    row: 'A10',
    removed: {
      file: 'src/services/sessions/sessions.ts',
      what: 'a code that is entered again ends the session it opened',
      from: 'lineage.includes(digest)',
      to: "lineage.includes('')",
    },
    failed: {
      file: 'test/services/sessions/sessions.test.ts',
      title: 'ends the session it opened, and tells both programs that used it',
    },
  },
  {
    row: 'D3',
    removed: {
      file: 'src/http/routes/console-sessions.ts',
      what: 'a sign-in takes 1 KiB',
      from: ', bodyLimit: MAX_SIGN_IN_BYTES }',
      to: ' }',
    },
    failed: {
      file: 'test/http/console-sessions.test.ts',
      title: 'sign-in takes a body of 1 KiB, and none that is a byte larger',
    },
  },
  {
    row: 'U2',
    removed: {
      file: 'src/http/printed-host.ts',
      what: 'the page and the console answer under 127.0.0.1 only',
      from: 'return String(headers.host).startsWith(',
      to: "return headers.host !== '' || String(headers.host).startsWith(",
    },
    failed: {
      file: 'test/http/printed-host.test.ts',
      title: 'the console is refused under the name localhost, with the address to use: sign-in, reads and writes',
    },
  },
  {
    row: 'A9',
    removed: {
      file: 'src/domain/profile.ts',
      what: 'what is forbidden is blocked under every profile',
      from: 'if (each.assessment.forbidden !== undefined) return',
      to: "if (each.assessment.forbidden === '') return",
    },
    failed: {
      file: 'test/domain/profile.test.ts',
      title: 'a forbidden action is blocked even where a rule allows everything',
    },
  },
  {
    row: 'S1',
    removed: {
      file: 'src/store/journal/audit.ts',
      what: 'the hashes of a row are compared',
      from: 'row.previous_hash.equals(previous.hash) && row.hash.equals(expected)',
      to: 'expected.length > 0',
    },
    failed: { file: 'test/store/store.test.ts', title: 'shows where a row was %s behind its back' },
  },
  {
    row: 'S1',
    removed: {
      file: 'src/store/store.ts',
      what: 'a missing end is written into the journal at start',
      from: 'if (fault !== undefined) writer.write(',
      to: 'if (fault !== undefined && found?.seq === 0) writer.write(',
    },
    failed: {
      file: 'test/store/store.test.ts',
      title: 'S3: says for good that its anchor was removed before a start, though the store writes another',
    },
  },
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
  {
    row: 'A6',
    removed: {
      file: 'src/services/wiring.ts',
      what: 'plans are void when the rules change',
      from: '    confirmations.plans.makeOutdatedVoid();\n',
      to: '',
    },
    failed: {
      file: 'test/services/plan-approval.test.ts',
      title: 'a plan that waits is void when the rules change: each step asks by itself, or needs no yes any more',
    },
  },
  {
    row: 'A6',
    removed: {
      file: 'src/services/lifecycle/start-up.ts',
      what: 'a plan that waits does not outlive the daemon',
      from: '...(isStopped ? [] : [confirmations.plans.endOfRun])',
      to: '...(isStopped ? [confirmations.plans.endOfRun] : [])',
    },
    failed: {
      file: 'test/services/plan-approval.test.ts',
      title: 'when the daemon was restarted, also after another restart',
    },
  },
  {
    row: 'U1',
    removed: {
      file: 'src/peers/gate.ts',
      what: 'other OS users are refused (createPeerGate)',
      from: 'peer.uid !== ROOT && !served.includes(peer.uid)',
      to: 'served.length === 0',
    },
    failed: { file: 'test/peers/gate.test.ts', title: 'another user (' },
  },
  {
    row: 'U1',
    removed: {
      file: 'src/peers/linux-peers.ts',
      what: 'a socket that its process has closed is not one of root (peerOf)',
      from: "row.inode === 0 ? { kind: 'gone' } : { kind: 'user', ...row }",
      to: "{ kind: 'user', ...row }",
    },
    failed: {
      file: 'test/peers/linux-peers.test.ts',
      title: 'a socket that its process has closed is not taken for one of root',
    },
  },
  {
    row: 'S3',
    removed: {
      file: 'src/store/journal/audit.ts',
      what: 'a missing anchor beside rows is a fault (endFault)',
      from: 'return seq === 0 ? undefined',
      to: 'return seq >= 0 ? undefined',
    },
    failed: { file: 'test/store/store.test.ts', title: 'S3: shows that its anchor was removed' },
  },
  {
    row: 'S4',
    removed: {
      file: 'src/store/journal/audit.ts',
      what: 'an empty journal beside records is a fault',
      from: 'if (seq === 0 && hasRecords(database))',
      to: 'if (seq < 0 && hasRecords(database))',
    },
    failed: { file: 'test/store/store.test.ts', title: 'S4: shows that all of its rows were removed' },
  },
  {
    row: 'S4',
    removed: {
      file: 'src/store/journal/audit.ts',
      what: 'a missing key is a fault where the anchor is signed',
      from: 'if (key === undefined) return NO_KEY;',
      to: 'if (key === undefined) return undefined;',
    },
    failed: { file: 'test/store/store.test.ts', title: 'S4: shows that its key was %s' },
  },
  {
    row: 'S5',
    removed: {
      file: 'src/store/database/renewal.ts',
      what: 'a new database gets the rules, keys and pauses of the second copy',
      from: 'if (protections !== undefined) layProtections(database, protections);',
      to: 'if (protections !== undefined) readProtectionsFile(protectionsPath);',
    },
    failed: { file: RENEWAL_TEST, title: 'has lost every page but the first' },
  },
  {
    row: 'S5',
    removed: {
      file: 'src/store/database/renewal.ts',
      what: 'everybody has lockdown where the rules are lost',
      from: 'else if (!areRulesKept) lockDown(database);',
      to: 'else if (areRulesKept) lockDown(database);',
    },
    failed: { file: RENEWAL_TEST, title: 'has lost its rules, and the second copy too' },
  },
  {
    row: 'S5',
    removed: {
      file: 'src/store/database/renewal.ts',
      what: 'everything is stopped after a renewal',
      from: '    stopEverything(database, atMs);\n',
      to: '',
    },
    failed: { file: RENEWAL_TEST, title: 'and its second copy are lost: everything is stopped' },
  },
  {
    row: 'S5',
    removed: {
      file: 'src/store/opening.ts',
      what: 'an empty database is damage where there was one before',
      from: 'if ((readAnchor(anchor)?.seq ?? 0) > 0) return true;',
      to: 'if ((readAnchor(anchor)?.seq ?? 0) > 0) return false;',
    },
    failed: { file: RENEWAL_TEST, title: 'S5: what the person closed stays closed after the database' },
  },
  {
    row: 'S6',
    removed: {
      file: 'src/store/writer.ts',
      what: 'nothing is written where the database is not in its place',
      from: 'if (place.isLeft()) throw new StorageUnavailable(MOVED);',
      to: '',
    },
    failed: { file: 'test/store/database/place.test.ts', title: 'S6: a database that was %s is not written to' },
  },
  {
    row: 'S6',
    removed: {
      file: 'src/services/lifecycle/storage-watch.ts',
      what: 'the agent is told to stop where the database is not in its place',
      from: '    stop.pause();\n',
      to: '',
    },
    failed: {
      file: 'test/services/lifecycle/storage-watch.test.ts',
      title: 'S6: once the database was moved away nothing is taken, the agent is told to stop',
    },
  },
];
