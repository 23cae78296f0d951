import { describe, expect } from 'vitest';
import { decide, firstPrompt } from './answers.ts';
import { type Rig, startServices, test } from './rig.ts';
import { answerPrompt, settle, submittedTask } from './tasks-rig.ts';

const quit = (name: string) => ({ actionType: 'QuitApp', parameters: { appName: name } });

/** The person denies the first prompt, as the page does it: for ten seconds they can still undo that. */
function denyFirst(rig: Rig, { undoable = true } = {}): string {
  const { id } = firstPrompt(rig);
  decide(rig, 'deny', { undoable });
  return id;
}

const pausedBecause = ({ services }: Rig) =>
  services.console.status().requesters.find(({ userId }) => userId === 'ann')?.pausedBecause;

const denials = (rig: Rig) =>
  rig.store.recording.recorded({ fromMs: 0, toMs: rig.clock.nowMs() + 60_000 }, rig.clock.nowMs()).rollup.counters
    .promptDenied;

/** What ends a request in the ten seconds after the person denied it. Each begins with the request. */
const ENDS: Readonly<Record<string, (rig: Rig) => Promise<() => unknown>>> = {
  async 'its requester, who cancels the action'(rig) {
    const { actionId } = await rig.submitted(quit('app'));
    return () => rig.services.actions.cancel('ann', actionId);
  },
  async 'its requester, who cancels the task of the plan'(rig) {
    const { taskId } = await submittedTask(rig, [{ id: 'quit', ...quit('app') }]);
    return () => rig.services.tasks.cancel('ann', taskId);
  },
  async 'its requester, who removes the device'(rig) {
    await rig.submitted(quit('app'));
    return () => rig.services.devices.remove('ann', rig.deviceId);
  },
  async 'a change of the rules that makes the plan void'(rig) {
    await submittedTask(rig, [{ id: 'quit', ...quit('app') }]);
    return () => rig.services.console.profiles.assign('ann', 'trusted');
  },
};

describe('an answer that the person has given stays their answer, whatever ends the request', () => {
  test.each(Object.entries(ENDS))('%s', async (_name, begin) => {
    const rig = startServices();
    const end = await begin(rig);
    const id = denyFirst(rig);
    rig.clock.advance(3_000);
    end();
    await settle();
    expect(rig.store.confirmations.find(id)).toMatchObject({
      status: 'denied',
      decidedAtMs: rig.clock.nowMs() - 3_000,
    });
    expect(denials(rig)).toBe(1);
    rig.clock.advance(30_000);
    expect(denials(rig)).toBe(1);
  });

  test('so a requester that cancels what was denied is paused after three denials like any other', async ({ rig }) => {
    for (const name of ['app-1', 'app-2', 'app-3']) {
      const { actionId } = await rig.submitted(quit(name));
      denyFirst(rig);
      rig.services.actions.cancel('ann', actionId);
    }
    expect(pausedBecause(rig)).toBe('3 denials in a row');
  });

  test('and a withdrawn request beside it hides no denial from the rule of three', async ({ rig }) => {
    for (const name of ['app-1', 'app-2', 'app-3']) {
      await rig.submitted(quit(name));
      const { actionId } = await rig.submitted(quit(name));
      denyFirst(rig, { undoable: false });
      rig.services.actions.cancel('ann', actionId);
    }
    expect(pausedBecause(rig)).toBe('3 denials in a row');
  });

  test('and withdrawn requests between them hide no denials from the rule of ten', async ({ rig }) => {
    for (let count = 0; count < 10 && pausedBecause(rig) === null; count += 1) {
      for (let withdrawn = 0; withdrawn < 4; withdrawn += 1)
        rig.services.actions.cancel('ann', (await rig.submitted(quit(`no-${count}-${withdrawn}`))).actionId);
      await rig.submitted({ actionType: 'TakeScreenshot', parameters: {} });
      await answerPrompt(rig, 'allow');
      await rig.submitted(quit(`app-${count}`));
      denyFirst(rig, { undoable: false });
    }
    expect(pausedBecause(rig)).toBe('10 denials among the last 20 answers');
  });

  test('and it is told that the person denied it', async ({ rig }) => {
    const { actionId } = await rig.submitted(quit('app'));
    denyFirst(rig);
    rig.services.actions.cancel('ann', actionId);
    expect(rig.services.actions.get('ann', actionId)).toMatchObject({
      status: 'denied',
      details: 'The person denied it; nothing was done.',
    });
    expect(await rig.submitted(quit('app'))).toMatchObject({ status: 'denied' });
  });
});
