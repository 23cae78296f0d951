import { describe, expect } from 'vitest';
import type { Confirmation } from '../../src/contract/console.ts';
import { isRefusal } from '../../src/services/refusal.ts';
import { decide, firstPrompt } from './answers.ts';
import { fillDisk, makeRoom } from './full-disk.ts';
import { type Rig, startServices, test } from './rig.ts';

const screenshot = { actionType: 'TakeScreenshot', parameters: {} };

async function asked(rig: Rig): Promise<{ actionId: string; prompt: Confirmation }> {
  const { actionId } = await rig.submitted(screenshot);
  return { actionId, prompt: firstPrompt(rig) };
}

const deny = (rig: Rig, prompt: Confirmation, undoable: boolean) => decide(rig, 'deny', { undoable }, prompt);

const statusOf = (rig: Rig, actionId: string) => rig.store.actions.findById(actionId)?.status;

describe('on a full disk', () => {
  test('a code opens a session, which is recorded once there is room; the code is spent', async ({ rig }) => {
    const { sessions } = rig.services.console;
    const code = rig.services.createSignInCode();
    fillDisk(rig);
    const opened = sessions.open(code);
    if (isRefusal(opened)) throw new Error(opened.detail);
    expect(sessions.isOpen(opened.key)).toBe(true);
    expect(rig.kinds()).not.toContain('session.opened');
    await makeRoom(rig);
    expect(rig.kinds().at(-1)).toBe('session.opened');
    expect(rig.crashAndRestart().services.console.sessions.wasOpen(opened.key)).toBe(true);
  });

  test('a wrong code is wrong, and the person signs out and ends sessions', async ({ rig }) => {
    const { sessions } = rig.services.console;
    const keys = [1, 2].map(() => {
      const opened = sessions.open(rig.services.createSignInCode());
      return isRefusal(opened) ? '' : opened.key;
    });
    fillDisk(rig);
    expect(sessions.open('AAAA-AAAA')).toMatchObject({ refused: 'console_session_required' });
    expect(sessions.endOthers(keys[0] ?? '')).toBe(1);
    sessions.close(keys[0] ?? '');
    expect(keys.map((key) => sessions.isOpen(key))).toEqual([false, false]);
    await makeRoom(rig);
    expect(rig.kinds().slice(-2)).toEqual(['session.ended', 'session.closed']);
  });

  test.each([false, true])('a denial holds, and is recorded once there is room (undoable: %s)', async (undoable) => {
    const rig = startServices();
    const { actionId, prompt } = await asked(rig);
    fillDisk(rig);
    expect(deny(rig, prompt, undoable)).toMatchObject({ actionId });
    expect(rig.services.console.confirmations.list()).toEqual([]);
    expect(deny(rig, prompt, undoable)).toMatchObject({ refused: 'confirmation_resolved' });
    rig.clock.advance(60_000);
    expect([statusOf(rig, actionId), rig.services.console.confirmations.list()]).toEqual(['awaiting_confirmation', []]);
    await makeRoom(rig);
    expect(statusOf(rig, actionId)).toBe('denied');
  });

  test('all prompts of a requester are denied', async ({ rig }) => {
    const { actionId } = await asked(rig);
    fillDisk(rig);
    expect(rig.services.console.confirmations.denyAllOf('ann')).toBe(1);
    await makeRoom(rig);
    expect(statusOf(rig, actionId)).toBe('denied');
  });

  test('a second stop is taken like the first', async ({ rig }) => {
    const { actionId } = await asked(rig);
    fillDisk(rig);
    expect(rig.services.console.pause()).toMatchObject({ paused: true });
    expect(rig.services.console.pause()).toMatchObject({ paused: true });
    await makeRoom(rig);
    expect([statusOf(rig, actionId), rig.kinds()]).toEqual(['cancelled', expect.arrayContaining(['daemon.paused'])]);
  });

  test('a prompt whose time is over cannot be answered', async ({ rig }) => {
    const { prompt } = await asked(rig);
    fillDisk(rig);
    rig.clock.advance(90_000);
    expect(deny(rig, prompt, false)).toMatchObject({ refused: 'confirmation_expired' });
  });
});
