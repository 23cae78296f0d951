import { expect, test } from 'vitest';
import { answerFirst } from '../answers.ts';
import { done, fillDesktop, type Rig, startServices } from '../rig.ts';

const LOOKS = [
  { actionType: 'TakeScreenshot', parameters: {} },
  { actionType: 'DescribeScreen', parameters: { contents: true } },
  { actionType: 'WaitFor', parameters: { text: 'CEWD' } },
] as const;
const NAMES = { actionType: 'DescribeScreen', parameters: {} };

/** A requester whose looks run without asking. */
function trusted(): Rig {
  const rig = startServices();
  rig.services.console.profiles.assign('ann', 'trusted');
  return rig;
}

test.each(LOOKS)(
  'A26: while a sign-in code is good $actionType asks under every profile; afterwards it runs',
  async (look) => {
    const rig = trusted();
    const code = rig.services.createSignInCode();
    expect((await rig.submitted(look)).status).toBe('awaiting_confirmation');
    expect(rig.services.console.sessions.open(code)).toHaveProperty('key');
    expect((await rig.submitted({ ...look, reason: 'again' })).status).toBe('running');
  },
);

test('A26: a list of names still runs at once', async () => {
  const rig = trusted();
  rig.services.createSignInCode();
  expect((await rig.submitted(NAMES)).status).toBe('running');
});

test('A26: a code that an allowed look could have shown opens nothing', async () => {
  const rig = trusted();
  const code = rig.services.createSignInCode();
  await rig.submitted(LOOKS[0]);
  answerFirst(rig, 'allow');
  expect(rig.services.console.sessions.open(code)).toMatchObject({ refused: 'console_session_required' });
});

test('A26: a code that was made while a look was under way ends with that look', async () => {
  const rig = trusted();
  expect((await rig.submitted(LOOKS[1])).status).toBe('running');
  const code = rig.services.createSignInCode();
  await rig.agent.answer(done({ data: {} }));
  expect(rig.services.console.sessions.open(code)).toMatchObject({ refused: 'console_session_required' });
  const kinds = rig.store.journal.readAfter(0, 100).map(({ kind }) => kind);
  expect(kinds).toContain('session.code_seen');
});

test('A26: a code ends with a look that an earlier run of the daemon left', async () => {
  const rig = trusted();
  await fillDesktop(rig);
  expect((await rig.submitted({ ...LOOKS[0], timeoutMs: 60_000 })).status).toBe('queued');
  const after = rig.crashAndRestart();
  expect(after.agent.sent.map(({ actionType }) => actionType)).toEqual([LOOKS[0].actionType]);
  const code = after.services.createSignInCode();
  await after.agent.answer(done({ data: {} }));
  expect(after.services.console.sessions.open(code)).toMatchObject({ refused: 'console_session_required' });
});

test('a code is not ended by names, files and clicks', async () => {
  const rig = trusted();
  const code = rig.services.createSignInCode();
  await rig.submitted(NAMES);
  await rig.agent.answer(done({ data: {} }));
  expect(rig.services.console.sessions.open(code)).toHaveProperty('key');
});
