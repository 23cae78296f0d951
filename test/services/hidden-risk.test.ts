import { describe, expect } from 'vitest';
import type { AppRisk } from '../../src/contract/screen.ts';
import { done, notDone, type Rig, startServices, test } from './rig.ts';
import { answerPrompt, answerStep, sentSteps, settle, stepsNow, submittedTask } from './tasks-rig.ts';

const open = { actionType: 'OpenApp', parameters: { appName: 'Harmless Notes' } };
const HIGH: AppRisk = { level: 'high', reason: '“Harmless Notes” leads to “xterm”, which is a terminal.' };
const MEDIUM: AppRisk = { level: 'medium', reason: '“Harmless Notes” runs commands with sh.' };

function behind(rig: Rig, risks: AppRisk[]): Rig {
  rig.agent.apps.set('Harmless Notes', done({ data: { appName: 'Harmless Notes', risks } }));
  return rig;
}

function rigWith(...risks: AppRisk[]): Rig {
  return behind(startServices(), risks);
}

/** What was sent to the agent, with the risk level it was judged at. */
function sentAt({ agent, store }: Rig): string[] {
  return agent.sent.map(({ actionId, actionType }) => `${actionType} ${store.actions.findById(actionId)?.risk.level}`);
}

describe('A13: an app that is more than its name says', () => {
  test('asks the person at the real risk, once, and is sent with it', async () => {
    const rig = rigWith(MEDIUM, HIGH);
    const action = await rig.submitted(open);
    expect(action).toMatchObject({
      status: 'awaiting_confirmation',
      risk: { level: 'high', reasons: [HIGH.reason] },
    });
    const [prompt] = rig.services.console.confirmations.list();
    expect(prompt).toMatchObject({
      presenceRequired: true,
      scopes: [{ scope: 'once' }],
      prompt: { risk: { level: 'high', reasons: [HIGH.reason] } },
    });
    expect(prompt?.scopes).toHaveLength(1);
    await answerPrompt(rig, 'allow');
    expect(sentAt(rig)).toEqual(['OpenApp high']);
  });

  test('asks at medium risk for a command in its entry, and may be allowed for good', async () => {
    const rig = rigWith(MEDIUM);
    expect(await rig.submitted(open)).toMatchObject({ status: 'awaiting_confirmation', risk: { level: 'medium' } });
    await answerPrompt(rig, 'allow', 'always');
    expect(await rig.submitted(open)).toMatchObject({ status: 'running', risk: { level: 'medium' } });
  });

  test('runs at medium risk under the profile trusted, and asks at high risk', async () => {
    const rig = rigWith(MEDIUM);
    rig.services.console.profiles.assign('ann', 'trusted');
    expect((await rig.submitted(open)).status).toBe('running');
    behind(rig, [HIGH]);
    rig.clock.advance(60_000);
    expect((await rig.submitted(open)).status).toBe('awaiting_confirmation');
  });

  test('is not let through by a grant that the person gave before it changed', async () => {
    const rig = rigWith(MEDIUM);
    await rig.submitted(open);
    await answerPrompt(rig, 'allow', 'always');
    behind(rig, [HIGH]);
    rig.clock.advance(60_000);
    expect((await rig.submitted(open)).status).toBe('awaiting_confirmation');
  });

  test('says so in a dry run', async () => {
    const rig = rigWith(HIGH);
    expect(await rig.submit({ ...open, dryRun: true })).toMatchObject({
      dryRun: { verdict: 'ask', risk: { level: 'high', reasons: [HIGH.reason] }, target: 'Harmless Notes' },
    });
    expect(rig.agent.sent).toEqual([]);
  });

  test('is quit only after the person was asked at the real risk', async () => {
    const rig = rigWith(HIGH);
    rig.services.console.profiles.assign('ann', 'trusted');
    expect(await rig.submitted({ ...open, actionType: 'QuitApp' })).toMatchObject({
      status: 'awaiting_confirmation',
      risk: { level: 'high', reasons: [HIGH.reason] },
    });
  });
});

describe('A13: a step of a task', () => {
  test('is in the plan with the real risk, and is sent with it', async () => {
    const rig = rigWith(HIGH);
    const { taskId } = await submittedTask(rig, [{ id: 'open', ...open }]);
    const [prompt] = rig.services.console.confirmations.list();
    expect(prompt).toMatchObject({
      presenceRequired: true,
      plan: { steps: [{ id: 'open', consent: 'asked', risk: { level: 'high' } }] },
    });
    await answerPrompt(rig, 'allow');
    expect(stepsNow(rig, taskId)).toEqual({ open: 'running' });
    expect(sentAt(rig)).toEqual(['OpenApp high']);
  });

  test('is looked up when it is its turn, if its app comes from an earlier result', async () => {
    const rig = rigWith(HIGH);
    const look = { id: 'look', actionType: 'DescribeScreen', parameters: {} };
    const later = { ...open, dependsOn: ['look'], parameters: { appName: { $from: 'look.data.app' } } };
    const { taskId } = await submittedTask(rig, [look, { id: 'open', ...later }]);
    await answerStep(rig, taskId, 'look', done({ data: { app: 'Harmless Notes' } }));
    await settle();
    expect(stepsNow(rig, taskId)).toEqual({ look: 'success', open: 'awaiting_confirmation' });
    // The result it comes from was read from the screen, which is one level more.
    expect(rig.services.console.confirmations.list()).toMatchObject([{ prompt: { risk: { level: 'critical' } } }]);
  });

  test('is looked up again after a restart of the daemon', async () => {
    const rig = rigWith(HIGH);
    const { taskId } = await submittedTask(rig, [
      { id: 'wait', parameters: { durationMs: 60_000 } },
      { id: 'open', ...open, dependsOn: ['wait'] },
    ]);
    await answerPrompt(rig, 'allow');
    const after = behind(rig.crashAndRestart(), [HIGH]);
    await settle();
    await answerStep(after, taskId, 'wait', done());
    await settle();
    expect(sentSteps(after)).toEqual(['wait']);
    expect([...after.agent.lookedUp.values()]).toEqual(['Harmless Notes']);
    expect(stepsNow(after, taskId)).toEqual({ wait: 'success', open: 'awaiting_confirmation' });
  });

  test('is looked up once, however many steps name the same app', async () => {
    const rig = rigWith(MEDIUM);
    await submittedTask(
      rig,
      ['a', 'b', 'c'].map((id) => ({ id, ...open })),
    );
    expect([...rig.agent.lookedUp.values()]).toEqual(['Harmless Notes']);
  });
});

describe('A13: rules of the person about an app', () => {
  const byLevel = { low: 'allow', medium: 'allow', high: 'ask', critical: 'ask' } as const;
  const chess = { appName: 'Harmless Notes', bundleId: 'org.notes', alsoKnownAs: ['org.gnome.Chess', 'gnome-chess'] };

  function rigWithRule(verdict: 'block' | 'ask' | 'allow', app: string): Rig {
    const rig = startServices();
    rig.agent.apps.set('Harmless Notes', done({ data: { ...chess, risks: [] } }));
    const levels = verdict === 'allow' ? ({ ...byLevel, low: 'ask' } as const) : byLevel;
    rig.services.console.profiles.put({ name: 'office', byLevel: levels, rules: [{ verdict, apps: [app] }] });
    rig.services.console.profiles.assign('ann', 'office');
    return rig;
  }

  test.each(['gnome-chess', 'org.gnome.Chess', 'org.notes', 'Harmless Notes'])(
    'hold for it under every name: %s is blocked and asked about',
    async (name) => {
      expect(await rigWithRule('block', name).submitted(open)).toMatchObject({ status: 'blocked' });
      expect(await rigWithRule('ask', name).submitted(open)).toMatchObject({ status: 'awaiting_confirmation' });
    },
  );

  test('allow it only under the name that the requester gave', async () => {
    expect(await rigWithRule('allow', 'gnome-chess').submitted(open)).toMatchObject({
      status: 'awaiting_confirmation',
    });
    expect(await rigWithRule('allow', 'Harmless Notes').submitted(open)).toMatchObject({ status: 'running' });
  });
});

describe('looking at an app', () => {
  test('ends an action on an app that is not there: it fails, and nobody is asked', async ({ rig }) => {
    rig.services.console.profiles.assign('ann', 'lockdown');
    rig.agent.apps.set('Harmless Notes', notDone());
    expect(await rig.submitted(open)).toMatchObject({
      status: 'failed',
      effect: 'none',
      details: 'No such app.',
      error: { code: 'app_not_found' },
    });
    expect(rig.services.console.confirmations.list()).toEqual([]);
    expect(rig.agent.sent).toEqual([]);
  });

  test('finds the app anew, once the agent has found another one than was judged', async () => {
    const rig = rigWith();
    await rig.submitted(open);
    behind(rig, [HIGH]);
    await rig.agent.answer(notDone({ code: 'target_changed' }));
    expect(await rig.submitted(open)).toMatchObject({ status: 'awaiting_confirmation', risk: { level: 'high' } });
  });

  test('asks the agent nothing while the app is remembered', async () => {
    const rig = rigWith();
    for (let count = 0; count < 3; count += 1) await rig.submitted(open);
    expect(rig.agent.lookedUp.size).toBe(1);
  });

  test('sends the app with the action, for the agent to compare', async () => {
    const rig = rigWith(MEDIUM);
    rig.services.console.profiles.assign('ann', 'trusted');
    await rig.submitted(open);
    const app = { appName: 'Harmless Notes', alsoKnownAs: [], risks: [MEDIUM] };
    expect(rig.agent.sent).toMatchObject([{ targets: [{ kind: 'app', name: 'Harmless Notes', app }] }]);
  });

  test('is waited for three seconds and not longer', async ({ rig }) => {
    rig.agent.perform = (params) => void rig.agent.sent.push(params);
    const answer = rig.submit(open, { waitMs: 0 });
    await settle();
    rig.clock.advance(2_999);
    await settle();
    expect(rig.agent.sent.map(({ actionType }) => actionType)).toEqual(['ResolveTargets']);
    rig.clock.advance(1);
    expect(await answer).toMatchObject({ action: { status: 'failed', error: { code: 'agent_unavailable' } } });
  });

  test('is not done for actions without targets', async ({ rig }) => {
    await rig.submitted({ actionType: 'DescribeScreen', parameters: {} });
    expect(rig.agent.lookedUp.size).toBe(0);
  });
});
