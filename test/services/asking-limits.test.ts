import { describe, expect, test } from 'vitest';
import type { PerformParams } from '../../src/contract/link.ts';
import { createAppResolution } from '../../src/services/agent/app-resolution.ts';
import { createAgentQuestions } from '../../src/services/agent/questions.ts';
import { createWindowLooks } from '../../src/services/tasks/window-looks.ts';
import { done, type Rig, startServices } from './rig.ts';
import { settle } from './tasks-rig.ts';

const MINUTE_MS = 60_000;
const NOTES = { id: '0x1', app: 'Mousepad', pid: 1, title: 'notes', bounds: { x: 0, y: 0, width: 8, height: 6 } };

/** Questions to an agent that answers when it is told to. */
function createQuestions(rig: Rig) {
  const asked: PerformParams[] = [];
  const port = { ...rig.agent, perform: (params: PerformParams) => void asked.push(params) };
  const context = { ...rig, newId: () => `act_${asked.length}`, log: console };
  const questions = createAgentQuestions(context, port);
  return { context, port, questions, asked };
}

const question = { type: 'x', parameters: {}, riskLevel: 'low' } as const;

describe('questions to the agent', () => {
  test('are 64 at one time; one more is not sent, until another was answered', async () => {
    const { questions, asked } = createQuestions(startServices());
    for (let count = 0; count < 64; count += 1) void questions.ask(question);
    expect(asked).toHaveLength(64);
    expect(await questions.ask(question)).toBeUndefined();
    expect(asked).toHaveLength(64);
    questions.finish({ actionId: 'act_0', attempt: 1 }, done());
    void questions.ask(question);
    expect(asked).toHaveLength(65);
  });

  test('are given up when the agent has not answered within three seconds', async () => {
    const rig = startServices();
    const { questions, asked } = createQuestions(rig);
    let answers = 0;
    void questions.ask(question).then(() => {
      answers += 1;
    });
    expect(asked[0]?.deadlineMs).toBe(3_000);
    rig.clock.advance(2_999);
    await settle();
    expect(answers).toBe(0);
    rig.clock.advance(1);
    await settle();
    expect(answers).toBe(1);
  });
});

describe('the app behind a name', () => {
  function createApps(rig: Rig) {
    const { context, port } = createQuestions(rig);
    const looked: unknown[] = [];
    const apps = createAppResolution(context, port, {
      async ask({ parameters }) {
        looked.push(parameters.appName);
        return done({ data: { appName: 'Harmless', risks: [{ level: 'high', reason: 'It is a terminal.' }] } });
      },
    });
    return { apps, looked };
  }

  test('is looked up again after a minute, and not before', async () => {
    const rig = startServices();
    const { apps } = createApps(rig);
    expect(apps.isKnown('notes')).toBe(false);
    await apps.learn('notes');
    rig.clock.advance(MINUTE_MS - 1);
    expect(apps.isKnown('notes')).toBe(true);
    rig.clock.advance(1);
    expect(apps.isKnown('notes')).toBe(false);
  });

  test('is remembered for a thousand names, and then the oldest is forgotten', async () => {
    const { apps } = createApps(startServices());
    for (let count = 0; count < 1_000; count += 1) await apps.learn(`app ${count}`);
    expect(apps.risksOf('app 0')).toHaveLength(1);
    await apps.learn('app 1000');
    expect([apps.risksOf('app 0'), apps.risksOf('app 1')].map(({ length }) => length)).toEqual([0, 1]);
  });
});

test('a window that was looked up for a step is good for five seconds, and no longer', async () => {
  const rig = startServices();
  const { context } = createQuestions(rig);
  let count = 0;
  const ask = async () => {
    count += 1;
    return done({ data: NOTES });
  };
  const looks = createWindowLooks(context, { ask, agentReady: async () => true }, () => undefined);
  const look = { taskId: 't', stepId: 's', windowId: NOTES.id, riskLevel: 'medium' } as const;
  const lookedUp = async () => {
    expect(looks.take(look)).toBeUndefined();
    await settle();
  };
  await lookedUp();
  rig.clock.advance(4_999);
  expect(looks.take(look)).toEqual({ ok: true, window: NOTES });
  await lookedUp();
  rig.clock.advance(5_000);
  await lookedUp();
  expect(count).toBe(3);
});

test('a stream of events can be taken up 10,000 events back, and no further', () => {
  const rig = startServices();
  rig.store.write('relaxed', () => {
    for (let count = 0; count < 10_001; count += 1) rig.store.journal.append(1, { kind: 'agent.start_requested' });
  });
  const { events } = rig.services;
  const latest = events.latestId();
  expect([0, 10_000, 10_001].map((back) => events.isReplayable(latest - back))).toEqual([true, true, false]);
  expect(events.isReplayable(latest + 1)).toBe(false);
});
