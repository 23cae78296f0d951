export type Guard = {
  row: string;
  /** What was taken out of a scratch copy, and where it stands. */
  removed: { file: string; what: string };
  /** A test that failed without it. */
  failed: { file: string; title: string };
};

const MODEL = {
  file: 'test/services/rail-model.test.ts',
  title: 'whatever is asked, answered and disturbed, nothing runs that nobody allowed',
};

export const GUARDS: readonly Guard[] = [
  {
    row: 'A1',
    removed: { file: 'src/contract/app-name.ts', what: 'the objections to a name' },
    failed: { file: 'test/domain/catalogue.test.ts', title: 'parameters that are refused' },
  },
  {
    row: 'A2',
    removed: { file: 'src/http/identity.ts', what: 'a caller with x-user-id is no person (requirePerson)' },
    failed: { file: 'test/http/console.test.ts', title: 'nobody decides' },
  },
  {
    row: 'A2',
    removed: { file: 'src/http/identity.ts', what: 'the session key is looked up (isPerson)' },
    failed: { file: 'test/http/console.test.ts', title: 'nobody reads what waits' },
  },
  {
    row: 'A2',
    removed: { file: 'src/desktop/asks.ts', what: 'a link that is not one of two is refused (askOfLink)' },
    failed: { file: 'test/shell/doors.test.ts', title: 'by a link is refused and counted, and changes nothing' },
  },
  {
    row: 'A2',
    removed: { file: 'src/desktop/asks.ts', what: 'one unknown argument makes all refused (askOfArguments)' },
    failed: {
      file: 'test/shell/doors.test.ts',
      title: 'by the arguments of a second start is refused and counted, and changes nothing',
    },
  },
  {
    row: 'A2',
    removed: { file: 'src/desktop/asks.ts', what: 'an action that was never offered is refused (askOfPress)' },
    failed: {
      file: 'test/shell/doors.test.ts',
      title: 'by a notification is refused and counted, and changes nothing',
    },
  },
  {
    row: 'A2',
    removed: { file: 'src/desktop/doors.ts', what: 'what is refused is counted (carryOut)' },
    failed: { file: 'test/shell/doors.test.ts', title: 'before the daemon is up is counted when it is' },
  },
  {
    row: 'A3',
    removed: { file: 'src/services/confirmations/answer.ts', what: 'nonce and digest are compared' },
    failed: { file: 'test/services/confirmations.test.ts', title: 'with another nonce or digest' },
  },
  {
    row: 'A3',
    removed: {
      file: 'src/services/confirmations/confirmations.ts',
      what: 'a prompt past its time is ended when it is answered',
    },
    failed: {
      file: 'test/services/confirmations.test.ts',
      title: 'it expires at its time although the machine was suspended and no timer ran',
    },
  },
  {
    row: 'A3',
    removed: { file: 'src/services/confirmations/answer.ts', what: 'an answer under other rules is stale' },
    failed: MODEL,
  },
  {
    row: 'A4',
    removed: { file: 'src/services/confirmations/answer.ts', what: 'a yes before answerableAt is refused' },
    failed: { file: 'test/services/confirmations.test.ts', title: 'before the delay of its risk is over' },
  },
  {
    row: 'A5',
    removed: { file: 'src/services/confirmations/view.ts', what: 'what shows nothing is escaped (visible)' },
    failed: {
      file: 'test/services/confirmations.test.ts',
      title: 'the prompt says who asks, what for, with which arguments, and how risky it is',
    },
  },
  {
    row: 'A6',
    removed: { file: 'src/services/grants.ts', what: 'a grant is for exactly these arguments' },
    failed: {
      file: 'test/services/rail.test.ts',
      title: 'let exactly the same through, count their uses, and nothing else',
    },
  },
  {
    row: 'A6',
    removed: { file: 'src/services/actions/dispatch.ts', what: 'an approval is consumed with the dispatch' },
    failed: {
      file: 'test/services/confirmations.test.ts',
      title: 'allowed by the person, it is sent, and its approval is spent',
    },
  },
  {
    row: 'A6',
    removed: { file: 'src/services/actions/submission.ts', what: 'what waited for the agent is judged again' },
    failed: {
      file: 'test/services/rail.test.ts',
      title: 'what waits for the agent is judged by the rules there are when it comes',
    },
  },
  {
    row: 'A6',
    removed: { file: 'src/services/permissions.ts', what: 'a change of the rules calls off what was not sent' },
    failed: MODEL,
  },
  {
    row: 'A7',
    removed: { file: 'src/domain/catalogue/take-screenshot.ts', what: 'a picture is of medium risk' },
    failed: {
      file: 'test/services/confirmations.test.ts',
      title: 'an action of medium risk waits for a person and is not sent',
    },
  },
  {
    row: 'A8',
    removed: { file: 'src/services/console-sessions.ts', what: 'a code is forgotten when it is used' },
    failed: { file: 'test/services/confirmations.test.ts', title: 'opens with a fresh code, once' },
  },
  {
    row: 'A8',
    removed: { file: 'src/services/console-sessions.ts', what: 'a code ends after ten minutes' },
    failed: { file: 'test/services/confirmations.test.ts', title: 'does not open with a code older than ten minutes' },
  },
  {
    row: 'A8',
    removed: { file: 'src/services/console-sessions.ts', what: 'a session that was ended is forgotten (end)' },
    failed: { file: 'test/e2e/console-attacks.ts', title: 'the key of an ended session' },
  },
  {
    row: 'A8',
    removed: { file: 'src/http/routes/events.ts', what: 'a stream ends with its session' },
    failed: { file: 'test/http/console.test.ts', title: 'signing out ends the session and the stream it had open' },
  },
  {
    row: 'A9',
    removed: { file: 'src/domain/profile.ts', what: 'what is forbidden is blocked under every profile' },
    failed: {
      file: 'test/domain/profile.test.ts',
      title: 'what may never be done is blocked even where a rule allows everything',
    },
  },
  {
    row: 'S1',
    removed: { file: 'src/store/journal-audit.ts', what: 'the hashes of a row are compared' },
    failed: { file: 'test/store/store.test.ts', title: 'shows where a row was %s behind its back' },
  },
  {
    row: 'S1',
    removed: { file: 'src/store/store.ts', what: 'a missing end is written into the journal at start' },
    failed: { file: 'test/e2e/storage.test.ts', title: 'behind the daemon is found out, while it runs and ever after' },
  },
  {
    row: 'L1',
    removed: { file: 'src/services/actions/create.ts', what: 'the reason of a request is not in its journal row' },
    failed: {
      file: 'test/e2e/secrets.ts',
      title: 'L1: no code, key, reason, name, text or image byte is in any log line or journal row',
    },
  },
];
