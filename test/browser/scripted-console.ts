import type { Grant } from '../../src/contract/console.ts';
import type { ConsoleStatus } from '../../src/contract/console-status.ts';
import type { StreamEvent } from '../../src/contract/event.ts';
import type { Task } from '../../src/contract/task.ts';
import { EMPTY_CONSOLE } from '../http/empty-console.ts';
import { createFakeSessions } from '../http/fake-sessions.ts';
import { refused } from '../http/refused.ts';
import { asItems } from '../services/page-items.ts';
import { newConfirmation, newGrant, newInsight, newTask } from './made-up.ts';
import type { ScriptedConsole, Tell } from './scripted-daemon.ts';
import { createScriptedPeople } from './scripted-people.ts';
import { createScriptedPrompts } from './scripted-prompts.ts';

/** A console that the test scripts: prompts, sessions, requesters, grants, tasks and events, all in memory. `signedIn`: the key of a page that is signed in. */
export function createScriptedConsole(signedIn?: string): ScriptedConsole {
  const grants = new Map<string, Grant>();
  const stuck = new Map<string, Task>();
  const answers: string[] = [];
  const happened: StreamEvent[] = [];
  const acknowledged: string[] = [];
  const told = new EventTarget();
  let standing: Partial<ConsoleStatus> = {};

  const tell: Tell = (kind, metadata = {}) => {
    happened.push({ id: String(happened.length + 1), at: new Date().toISOString(), kind, metadata });
    told.dispatchEvent(new Event('told'));
  };
  const { pending, ...prompts } = createScriptedPrompts(tell, answers);
  const status = (): ConsoleStatus => ({
    paused: false,
    locked: false,
    agent: 'online',
    waiting: pending().length,
    running: 0,
    requesters: [],
    underWay: [],
    lastEventId: String(happened.length),
    ...standing,
  });
  const set = (part: Partial<ConsoleStatus>) => {
    standing = { ...standing, ...part };
    tell('daemon.changed');
    return status();
  };
  const cancel = (kind: 'action' | 'task', id: string) => {
    answers.push(`cancel ${kind} ${id}`);
    set({ underWay: status().underWay.filter((item) => item.id !== id) });
  };

  return {
    ...EMPTY_CONSOLE,
    ...createFakeSessions(signedIn),
    ...prompts,
    ...createScriptedPeople(tell, { status, set }),
    answers,
    acknowledged,
    tellInsight: (insight) => tell('insight.told', insight),
    acknowledge(id) {
      acknowledged.push(id);
      return newInsight(id);
    },
    events: {
      latestId: () => happened.length,
      isReplayable: () => true,
      read: (afterId) => ({ events: happened.slice(afterId), reachedId: happened.length }),
      async more(afterId, signal) {
        if (happened.length > afterId || signal.aborted) return;
        const { promise, resolve } = Promise.withResolvers<void>();
        for (const source of [told, signal]) {
          source.addEventListener('told', () => resolve(), { once: true });
          source.addEventListener('abort', () => resolve(), { once: true });
        }
        await promise;
      },
    },
    grant(overrides = {}) {
      const grant = newGrant(overrides);
      grants.set(grant.id, grant);
      tell('grant.given');
      return grant;
    },
    stick(overrides = {}) {
      const task = newTask({ status: 'needs_attention', ...overrides });
      stuck.set(task.taskId, task);
      tell('task.needs_attention');
      return task;
    },
    actions: {
      cancelByPerson(id) {
        cancel('action', id);
        const { action } = newConfirmation({});
        return { ...action, actionId: id, status: 'cancelled' };
      },
    },
    tasks: {
      ...EMPTY_CONSOLE.tasks,
      all: async () => ({ items: asItems([...stuck.values()]), nextCursor: null }),
      cancelByPerson(id) {
        cancel('task', id);
        return newTask({ taskId: id, status: 'cancelled' });
      },
      resolveStep(taskId, stepId, resolution) {
        const task = stuck.get(taskId);
        const step = task?.steps.find(({ id, status }) => id === stepId && status === 'unknown');
        if (task === undefined || step === undefined) return refused('already_terminal', 'The step is not unknown.');
        answers.push(`${resolution} ${stepId}`);
        step.status = resolution === 'did_not_happen' ? 'failed' : 'success';
        if (!task.steps.some(({ status }) => status === 'unknown')) stuck.delete(taskId);
        tell('task.step_resolved');
        return task;
      },
    },
    grants: {
      list: () => [...grants.values()],
      revoke(id) {
        if (!grants.delete(id)) return refused('not_found', 'No such grant.');
        tell('grant.revoked');
        return undefined;
      },
    },
    status,
    set,
    pause: () => set({ paused: true, pausedAt: new Date().toISOString() }),
    resume: async () => set({ paused: false }),
    answerStolenSession: ({ answer }) => {
      answers.push(answer);
      const { stolenSession: _, ...rest } = standing;
      standing = rest;
      return set({});
    },
    restartAgent: () => set({ agent: 'starting' }),
  };
}
