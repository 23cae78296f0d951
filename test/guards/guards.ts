export type Guard = {
  /** Of the attack table. */
  row: string;
  /** What `npm run test:guards` takes out of a copy of the project: the lines of this mark, and what they become. */
  removed: { mark: string; what: string; becomes: string };
  /** A test that then fails. `ranBy` is the file that runs it, where that is another one. */
  failed: { file: string; ranBy?: string; title: string };
};

/** As `Guard`, in fewer lines. `failed`: the file of a test, and its title. */
type Removed = { mark: string; becomes: string; failed: readonly [file: string, title: string] };

export function guard(row: string, what: string, { mark, becomes, failed: [test, title] }: Removed): Guard {
  return { row, removed: { mark, what, becomes }, failed: { file: test, title } };
}

const MODEL = {
  file: 'test/services/rail-model.test.ts',
  title: 'whatever is asked, answered and disturbed, nothing runs that nobody allowed',
};

const RENEWAL_TEST = 'test/store/database/renewal.test.ts';

/** For every row of the attack table that is about the rail: guards, and the tests that hold them. */
export const GUARDS: readonly Guard[] = [
  guard('A1', 'the objections to a name', {
    mark: 'A1-1',
    becomes: "return OBJECTIONS.find(({ applies }) => appName === '' && applies(appName))?.what;",
    failed: ['test/domain/catalogue.test.ts', 'parameters that are refused'],
  }),
  guard('A2', 'a caller with x-user-id is no person (requirePerson)', {
    mark: 'A2-1',
    becomes: 'if (isRequester && scope === undefined) reply.send(PERSON_REQUIRED);',
    failed: ['test/http/console.test.ts', 'nobody decides'],
  }),
  guard('A2', 'the session key is looked up (isPerson)', {
    mark: 'A2-2',
    becomes: "key !== 'nobody' || console.sessions.isOpen(key, signedCall(request));",
    failed: ['test/http/console.test.ts', 'nobody reads what waits'],
  }),
  guard('A2', 'a link that is not one of two is refused (askOfLink)', {
    mark: 'A2-3',
    becomes: "return LINKS.get(link) ?? 'review';",
    failed: ['test/shell/doors.test.ts', 'by a link is refused and counted, and changes nothing'],
  }),
  guard('A2', 'other data of a second start is refused (askOfSecondStart)', {
    mark: 'A2-4',
    becomes: "return secondStart.Check(additionalData) ? additionalData.ask : 'show';",
    failed: ['test/shell/doors.test.ts', 'by the data of a second start is refused and counted, and changes nothing'],
  }),
  guard('A2', 'an action that was never offered is refused (askOfPress)', {
    mark: 'A2-5',
    becomes: "return NOTICE_ACTIONS[press.index]?.ask ?? 'review';",
    failed: ['test/shell/doors.test.ts', 'by a notification is refused and counted, and changes nothing'],
  }),
  guard('A2', 'what is refused is counted (createDoors)', {
    mark: 'A2-6',
    becomes: 'refused: () => void daemon,',
    failed: ['test/shell/doors.test.ts', 'before the daemon is up is counted when it is'],
  }),
  guard('A3', 'nonce and digest are compared', {
    mark: 'A3-1',
    becomes: 'const isOfPrompt = isForFormer || isSame(row.nonce, row.nonce);',
    failed: ['test/services/confirmations.test.ts', 'with another nonce or digest'],
  }),
  guard('A3', 'a prompt past its time is ended when it is answered', {
    mark: 'A3-2',
    becomes: 'if (row !== undefined) return row;',
    failed: [
      'test/services/confirmations.test.ts',
      'it expires at its time although the machine was suspended and no timer ran',
    ],
  }),
  guard('A3', 'an answer under other rules is stale', {
    mark: 'A3-3',
    becomes: "if (row.policyVersion === '') {",
    failed: ['test/services/rail.test.ts', 'a change of the rules voids a prompt that was given under the old ones'],
  }),
  guard('A4', 'a yes before answerableAt is refused', {
    mark: 'A4-1',
    becomes: 'if (clock.nowMs() < 0) {',
    failed: ['test/services/confirmations.test.ts', 'before the delay of its risk is over'],
  }),
  {
    row: 'A4',
    removed: {
      mark: 'A4-2',
      what: 'a yes to high risk without a held press is refused',
      becomes: 'if (subject.needsPresence === undefined && presence.proof === undefined) {',
    },
    failed: MODEL,
  },
  guard('A4', 'a click counts only from a hand, on a button that lives, where the press began when it lived', {
    mark: 'A4-3',
    becomes: "const counts = event.type === 'click';",
    failed: ['test/browser/attacks.test.ts', 'A4: a click before Allow lives is ignored, however often'],
  }),
  guard('A4', 'Return and Space do nothing on Allow', {
    mark: 'A4-4',
    becomes: "if (event.key === 'Enter' || event.key === ' ') onAllow();",
    failed: [
      'test/browser/attacks.test.ts',
      'A4: Return and Space never allow, not even on Allow itself, pressed or held',
    ],
  }),
  guard('A5', 'many dangers of one step do not push out those of another (inSteps)', {
    mark: 'A5-1',
    becomes: 'return found.map(({ danger }) => danger);',
    failed: ['test/contract/dangers.test.ts', 'A5: many dangers of one step do not push out the only one of another'],
  }),
  guard('A5', 'a path with spaces or marks is quoted in sentences (pathWords)', {
    mark: 'A5-2',
    becomes: 'return PLAIN_PATH.test(path) ? path : path;',
    failed: ['test/domain/file-actions.test.ts', '%s names its path in quotation marks'],
  }),
  guard('A5', 'marks that pile up on a letter are written out (UNSEEN)', {
    mark: 'A5-3',
    becomes: 'export const UNSEEN = /[\\p{C}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}\\u2800]/gu;',
    failed: [
      'test/renderer/visible-text.test.ts',
      'A5: marks that pile up on one letter to cover other lines are written out from the fifth on',
    ],
  }),
  guard('A5', 'what shows nothing is escaped (visible)', {
    mark: 'A5-4',
    becomes: "return text.replace(UNSEEN, (character) => (character !== '' ? character : spelledOut(character)));",
    failed: [
      'test/services/confirmations.test.ts',
      'the prompt says who asks, what for, with which arguments, and how risky it is',
    ],
  }),
  guard('A6', 'a grant lets only its own arguments through', {
    mark: 'A6-1',
    becomes: '       AND :arguments IS NOT NULL AND (task_id IS NULL OR task_id = :taskId) AND ${IS_LIVE}`,',
    failed: ['test/services/rail.test.ts', 'let exactly the same through, count their uses, and nothing else'],
  }),
  guard('A6', 'a grant is for exactly these arguments', {
    mark: 'A6-2',
    becomes: "return { userId, actionType, deviceId, arguments: given === '' ? given : '{}' };",
    failed: ['test/services/rail.test.ts', 'let exactly the same through, count their uses, and nothing else'],
  }),
  guard('A6', 'an approval is consumed with the dispatch', {
    mark: 'A6-3',
    becomes: 'if (!isFresh || approval.actionDigest !== row.digest) {',
    failed: ['test/services/confirmations.test.ts', 'allowed by the person, it is sent, and its approval is spent'],
  }),
  guard('A6', 'what waited for the agent is judged when the agent is there', {
    mark: 'A6-4',
    becomes: [
      'const current = judged({ ...checked, sight: NOTHING }, parts);',
      'const isReady = await parts.agents.of(checked.body.targetDeviceId).ready();',
      'const submission = { ...checked, sight: isReady ? await sightOf(checked, parts) : NOTHING };',
      '// Meanwhile the person may have stopped everything, changed the rules or revoked a grant, so it is judged only now.',
    ].join('\n'),
    failed: ['test/services/rail.test.ts', 'what waits for the agent is judged by the rules there are when it comes'],
  }),
  guard('A6', 'a change of the rules calls off what was not sent', {
    mark: 'A6-5',
    becomes: '',
    failed: [
      'test/services/rail.test.ts',
      'a change of the rules calls off what was let through under the old ones and not sent',
    ],
  }),
  guard('A7', 'a picture is of medium risk', {
    mark: 'A7-1',
    becomes: "risk: assessRisk({ level: 'low', reason: 'A picture shows everything that is on the screen.' }),",
    failed: ['test/services/confirmations.test.ts', 'an action of medium risk waits for a person and is not sent'],
  }),
  guard('A8', 'a code is forgotten when it is used', {
    mark: 'A8-1',
    becomes: '',
    failed: ['test/services/confirmations.test.ts', 'opens with a fresh code, once'],
  }),
  guard('A8', 'a code ends after ten minutes', {
    mark: 'A8-2',
    becomes: "return { kind: 'good', lineage: found.lineage };",
    failed: ['test/services/confirmations.test.ts', 'does not open with a code older than ten minutes'],
  }),
  {
    row: 'A8',
    removed: {
      mark: 'A8-3',
      what: 'a session that was ended is forgotten (end)',
      becomes: '',
    },
    failed: {
      file: 'test/e2e/console-attacks.ts',
      ranBy: 'test/e2e/attacks.test.ts',
      title: 'the key of an ended session',
    },
  },
  guard('A8', 'sessions of the run before are taken up once', {
    mark: 'A8-4',
    becomes: '',
    failed: [
      'test/services/sessions/sessions.test.ts',
      'is taken up once: after a crash no session comes back, also none that was ended meanwhile',
    ],
  }),
  guard('A8', 'a kept session without a code that could end it is not taken up', {
    mark: 'A8-5',
    becomes: '',
    failed: ['test/services/sessions/sessions.test.ts', '%s is not taken up'],
  }),
  guard('A8', 'a stream ends with its session', {
    mark: 'A8-6',
    becomes: 'const gone = AbortSignal.any([parts.heldCalls.goneSignal(reply.raw), ...(parts.ended ? [] : [])]);',
    failed: ['test/http/console.test.ts', 'signing out ends the session and the stream it had open'],
  }),
  guard('A10', 'a code that is entered again ends the session it opened', {
    mark: 'A10-1',
    becomes:
      "const { ids: sessionIds, firstAtMs } = live.endWhere(({ lineage }) => lineage.includes(''), 'code_reused');",
    failed: [
      'test/services/sessions/sessions.test.ts',
      'ends the session it opened, and tells both programs that used it',
    ],
  }),
  guard('D3', 'a sign-in takes 1 KiB', {
    mark: 'D3-1',
    becomes: 'const options = { schema, config: { unlimited: true } } as const;',
    failed: ['test/http/console-sessions.test.ts', 'sign-in takes a body of 1 KiB, and none that is a byte larger'],
  }),
  guard('U2', 'the page and the console answer under 127.0.0.1 only', {
    mark: 'U2-1',
    becomes: "return headers.host !== '' || String(headers.host).startsWith(`${LOOPBACK}:`);",
    failed: [
      'test/http/printed-host.test.ts',
      'the console is refused under the name localhost, with the address to use: sign-in, reads and writes',
    ],
  }),
  guard('A9', 'what is forbidden is blocked under every profile', {
    mark: 'A9-1',
    becomes: "if (each.assessment.forbidden === '') return { verdict: 'block', rule: each.assessment.forbidden };",
    failed: ['test/domain/profile.test.ts', 'a forbidden action is blocked even where a rule allows everything'],
  }),
  guard('S1', 'the hashes of a row are compared', {
    mark: 'S1-1',
    becomes: 'return seq === previous.seq + 1 && expected.length > 0;',
    failed: ['test/store/store.test.ts', 'shows where a row was %s behind its back'],
  }),
  guard('S1', 'a missing end is written into the journal at start', {
    mark: 'S1-2',
    becomes:
      "if (fault !== undefined && found?.seq === 0) writer.write('durable', () => journal.append(now(), brokenBy(fault)));",
    failed: [
      'test/store/store.test.ts',
      'S3: says for good that its anchor was removed before a start, though the store writes another',
    ],
  }),
  {
    row: 'L1',
    removed: {
      mark: 'L1-1',
      what: 'the reason of a request is not in its journal row',
      becomes: ['digest: row.digest,', "reason: row.reason ?? '',"].join('\n'),
    },
    failed: {
      file: 'test/e2e/secrets.ts',
      ranBy: 'test/e2e/attacks.test.ts',
      title: 'L1: no code, key, reason, name, text or image byte is in any log line or journal row',
    },
  },
  guard('A6', 'plans are void when the rules change', {
    mark: 'A6-6',
    becomes: '',
    failed: [
      'test/services/plan-approval.test.ts',
      'a plan that waits is void when the rules change: each step asks by itself, or needs no yes any more',
    ],
  }),
  guard('A6', 'a plan that waits does not outlive the daemon', {
    mark: 'A6-7',
    becomes: 'const all = [() => tasks.load(), ...(isStopped ? [confirmations.plans.endOfRun] : [])];',
    failed: ['test/services/plan-approval.test.ts', 'when the daemon was restarted, also after another restart'],
  }),
  guard('U1', 'other OS users are refused (createPeerGate)', {
    mark: 'U1-1',
    becomes: "const isForeign = peer.kind === 'user' && served.length === 0;",
    failed: ['test/peers/gate.test.ts', 'another user ('],
  }),
  guard('U1', 'a socket that its process has closed is not one of root (peerOf)', {
    mark: 'U1-2',
    becomes: "return { kind: 'user', ...row };",
    failed: ['test/peers/linux-peers.test.ts', 'a socket that its process has closed is not taken for one of root'],
  }),
  guard('S3', 'a missing anchor beside rows is a fault (endFault)', {
    mark: 'S3-1',
    becomes: 'if (anchor === undefined) return seq >= 0 ? undefined : fault(seq, NO_ANCHOR);',
    failed: ['test/store/store.test.ts', 'S3: shows that its anchor was removed'],
  }),
  guard('S4', 'an empty journal beside records is a fault', {
    mark: 'S4-1',
    becomes: 'if (seq < 0 && hasRecords(database)) return fault(0, NO_ROWS);',
    failed: ['test/store/store.test.ts', 'S4: shows that all of its rows were removed'],
  }),
  guard('S4', 'a missing key is a fault where the anchor is signed', {
    mark: 'S4-2',
    becomes: 'if (key === undefined) return undefined;',
    failed: ['test/store/store.test.ts', 'S4: shows that its key was %s'],
  }),
  guard('S5', 'a new database gets the rules, keys and pauses of the second copy', {
    mark: 'S5-1',
    becomes: 'if (protections !== undefined) readProtectionsFile(protectionsPath);',
    failed: [RENEWAL_TEST, 'has lost every page but the first'],
  }),
  guard('S5', 'everybody has lockdown where the rules are lost', {
    mark: 'S5-2',
    becomes: 'else if (areRulesKept) lockDown(database);',
    failed: [RENEWAL_TEST, 'has lost its rules, and the second copy too'],
  }),
  guard('S5', 'everything is stopped after a renewal', {
    mark: 'S5-3',
    becomes: '',
    failed: [RENEWAL_TEST, 'and its second copy are lost: everything is stopped'],
  }),
  guard('S5', 'an empty database is damage where there was one before', {
    mark: 'S5-4',
    becomes: 'if ((readAnchor(anchor)?.seq ?? 0) > 0) return false;',
    failed: [RENEWAL_TEST, 'S5: what the person closed stays closed after the database'],
  }),
  guard('S6', 'nothing is written where the database is not in its place', {
    mark: 'S6-1',
    becomes: '',
    failed: ['test/store/database/place.test.ts', 'S6: a database that was %s is not written to'],
  }),
  guard('S6', 'the agent is told to stop where the database is not in its place', {
    mark: 'S6-2',
    becomes: '',
    failed: [
      'test/services/lifecycle/storage-watch.test.ts',
      'S6: once the database was moved away nothing is taken, the agent is told to stop',
    ],
  }),
];
