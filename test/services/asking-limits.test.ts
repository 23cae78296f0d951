import { describe, expect } from 'vitest';
import type { PerformParams } from '../../src/contract/link.ts';
import { checkAction } from '../../src/services/actions/checked-action.ts';
import { createAgentQuestions } from '../../src/services/agent/questions.ts';
import type { MachineAgent, MachineAgents } from '../../src/services/machines/agents.ts';
import { NOTHING } from '../../src/services/targets/targets.ts';
import { createStepSights } from '../../src/services/tasks/step-sights.ts';
import { done, type Rig, startServices, test } from './rig.ts';
import { settle } from './tasks-rig.ts';

const NOTES = { id: '0x1', app: 'Mousepad', pid: 1, title: 'notes', bounds: { x: 0, y: 0, width: 8, height: 6 } };

/** Questions to an agent that answers when it is told to. */
function createQuestions(rig: Rig) {
  const asked: PerformParams[] = [];
  const port = { ...rig.agent, perform: (params: PerformParams) => void asked.push(params) };
  const context = { ...rig, newId: () => `act_${asked.length}`, log: console };
  const questions = createAgentQuestions(context, port);
  return { context, port, questions, asked };
}

const question = { type: 'x', parameters: {} } as const;

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

  test('are given up when the agent has not answered within three seconds', async ({ rig }) => {
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

test('a window that was looked at for a step is good for five seconds, and no longer', async ({ rig }) => {
  let count = 0;
  const reference = { kind: 'window', windowId: NOTES.id } as const;
  const sight = new Map([[`window ${NOTES.id}`, { ...reference, window: NOTES }]]);
  const targets = {
    remembered: () => undefined,
    forget: () => undefined,
    async sight() {
      count += 1;
      return sight;
    },
  };
  const agent = { targets, displays: () => [], ready: async () => true } as Partial<MachineAgent> as MachineAgent;
  const sights = createStepSights(
    rig,
    {
      agents: { of: () => agent } as Partial<MachineAgents> as MachineAgents,
    },
    () => undefined,
  );
  const checked = checkAction({ actionType: 'TakeScreenshot', parameters: { windowId: NOTES.id } });
  const look = { taskId: 't', stepId: 's', userId: 'ann', deviceId: 'd', checked, known: NOTHING };
  const lookedAt = async () => {
    expect(sights.take(look)).toBeUndefined();
    await settle();
  };
  await lookedAt();
  rig.clock.advance(4_999);
  expect(sights.take(look)).toEqual(sight);
  await lookedAt();
  rig.clock.advance(5_000);
  await lookedAt();
  expect(count).toBe(3);
});

test('a stream of events can be taken up 10,000 events back, and no further', ({ rig }) => {
  rig.store.write('relaxed', () => {
    for (let count = 0; count < 10_001; count += 1) rig.store.journal.append(1, { kind: 'agent.start_requested' });
  });
  const { events } = rig.services;
  const latest = events.latestId();
  expect([0, 10_000, 10_001].map((back) => events.isReplayable(latest - back))).toEqual([true, true, false]);
  expect(events.isReplayable(latest + 1)).toBe(false);
});
