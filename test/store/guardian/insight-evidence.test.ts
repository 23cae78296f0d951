import Database from 'better-sqlite3';
import { describe, expect } from 'vitest';
import { EVIDENCE_QUERIES } from '../../../src/store/guardian/insights.ts';
import type { ActionRow } from '../../../src/store/records/actions.ts';
import type { PlanStepRow } from '../../../src/store/records/plan-steps.ts';
import type { Store } from '../../../src/store/store.ts';
import { action, device, test as it, open } from '../rig.ts';

const ALL = { afterId: '', limit: 10 };

describe('what insights are shown with', () => {
  it.each(Object.entries(EVIDENCE_QUERIES))(
    'is read from an index, never by going over a table: %s',
    (_name, query) => {
      const { path } = open();
      const database = new Database(`${path}/handrail.db`, { readonly: true });
      const parameters = {
        userId: 'ann',
        nameKey: '[]',
        fromMs: 0,
        toMs: 1,
        afterMs: 0,
        afterId: '',
        beforeId: '',
        limit: 5,
      };
      const plan = database.prepare(`EXPLAIN QUERY PLAN ${query}`).all(parameters) as { detail: string }[];
      database.close();
      const steps = plan.map(({ detail }) => detail);
      expect(steps.filter((step) => /^SCAN (?!latest)|TEMP B-TREE/.test(step))).toEqual([]);
      expect(steps.filter((step) => step.startsWith('SEARCH')).length).toBeGreaterThan(0);
    },
  );

  it('is the latest requests after an id, the newest first, and no more than asked for', () => {
    const store = withActions([{ id: 'act_1' }, { id: 'act_2', status: 'failed', error: NOT_FOUND }, { id: 'act_3' }]);
    expect(store.evidence.requests({ afterId: 'act_1', limit: 10 }).map(({ actionId }) => actionId)).toEqual([
      'act_3',
      'act_2',
    ]);
    expect(store.evidence.requests({ afterId: 'act_0', limit: 2 })[1]).toEqual({
      actionId: 'act_2',
      userId: 'ann',
      actionType: 'Wait',
      digest: 'd',
      risk: 'low',
      status: 'failed',
      errorCode: 'app_not_found',
      createdAtMs: 1,
      startedAtMs: null,
      durationMs: null,
      taskId: null,
      grantId: null,
      planId: null,
      app: null,
    });
  });

  it('is the latest prompts, with the risk of what they ask about', () => {
    const store = withActions([{ id: 'act_1', risk: { level: 'high', reasons: [] } }]);
    store.write('durable', () => {
      const digest = { actionDigest: 'd', nonce: 'n', policyVersion: '1' };
      store.confirmations.insert({
        kind: 'action',
        id: 'cnf_1',
        actionId: 'act_1',
        userId: 'ann',
        ...digest,
        createdAtMs: 5,
        expiresAtMs: 9,
      });
      store.confirmations.markShown('cnf_1', { shownAtMs: 6, answerableAtMs: 7 });
      store.confirmations.decide('cnf_1', { status: 'allowed', atMs: 8 });
    });
    expect(store.evidence.prompts(ALL)).toEqual([
      {
        actionId: 'act_1',
        userId: 'ann',
        risk: 'high',
        status: 'allowed',
        createdAtMs: 5,
        answerableAtMs: 7,
        decidedAtMs: 8,
      },
    ]);
  });

  it('includes answers to prompts, the latest first, with the length of the prompt and earlier approvals of the request', () => {
    const store = withActions([
      { id: 'act_1' },
      { id: 'act_2', risk: { level: 'high', reasons: [] } },
      { id: 'act_3' },
    ]);
    store.write('durable', () => {
      const asked = {
        userId: 'ann',
        actionDigest: 'd',
        nonce: 'n',
        policyVersion: '1',
        createdAtMs: 5,
        expiresAtMs: 900,
      };
      for (const id of ['1', '2', '3'])
        store.confirmations.insert({ kind: 'action', id: `cnf_${id}`, actionId: `act_${id}`, ...asked });
      store.confirmations.markShown('cnf_1', { shownAtMs: 10, answerableAtMs: 110 });
      store.confirmations.decide('cnf_1', { status: 'allowed', atMs: 150 });
      store.confirmations.markShown('cnf_2', {
        shownAtMs: 20,
        answerableAtMs: 120,
        characters: 90,
        openedToEnd: false,
      });
      const again = { characters: 91, openedToEnd: true, onScreenMs: 30 };
      store.confirmations.markShown('cnf_2', { shownAtMs: 40, answerableAtMs: 140, ...again });
      store.confirmations.decide('cnf_2', { status: 'allowed', atMs: 160 });
      store.confirmations.decide('cnf_3', { status: 'denied', atMs: 170 });
    });
    const [denied, second, first] = store.evidence.answers({ afterMs: 149, limit: 10 });
    const common = { userId: 'ann', risk: 'low', isAllowed: true };
    const unknown = { characters: null, wasOpenedToEnd: null };
    expect(first).toEqual({ actionId: 'act_1', ...common, decidedAtMs: 150, tookMs: 40, isRepeat: false, ...unknown });
    const read = { tookMs: 50, characters: 90, wasOpenedToEnd: true };
    expect(second).toEqual({ actionId: 'act_2', ...common, risk: 'high', decidedAtMs: 160, isRepeat: true, ...read });
    const notShown = { isAllowed: false, tookMs: null, ...unknown };
    expect(denied).toEqual({ actionId: 'act_3', ...common, ...notShown, decidedAtMs: 170, isRepeat: true });
    expect(store.evidence.answers({ afterMs: 150, limit: 1 }).map(({ actionId }) => actionId)).toEqual(['act_3']);
  });

  it('counts a plan among the prompts, at the highest risk it asks for, with an action that was sent on it', () => {
    const store = withActions([]);
    const common = { userId: 'ann', actionDigest: 'd', nonce: 'n', policyVersion: '1', createdAtMs: 5, expiresAtMs: 9 };
    const asked = { consent: 'asked', actionType: 'Wait', digest: 'd', maxAttempts: 1 } as const;
    store.write('durable', () => {
      store.tasks.insert({
        id: 'tsk_1',
        userId: 'ann',
        name: 'Two',
        onFailure: 'stop',
        status: 'pending',
        createdAtMs: 5,
        askedMs: 0,
        steps: [],
      });
      const steps: PlanStepRow[] = [
        { stepId: 'a', ...asked, riskLevel: 'medium' },
        { stepId: 'b', ...asked, riskLevel: 'high' },
        { stepId: 'c', ...asked, consent: 'none', riskLevel: 'critical' },
      ];
      store.confirmations.insert({ kind: 'plan', id: 'cnf_1', taskId: 'tsk_1', ...common, steps });
    });
    const prompt = { userId: 'ann', risk: 'high', createdAtMs: 5, answerableAtMs: null };
    expect(store.evidence.prompts(ALL)).toEqual([{ ...prompt, actionId: null, status: 'pending', decidedAtMs: null }]);
    store.write('durable', () => {
      store.confirmations.decide('cnf_1', { status: 'allowed', atMs: 8 });
      store.actions.insert(action({ id: 'act_9' }));
      const spent = { planId: 'cnf_1', actionId: 'act_9', digest: 'd', atMs: 8, mayRepeat: false };
      expect(store.confirmations.consumeStep({ ...spent, stepId: 'c' })).toBe(false);
      expect(store.confirmations.consumeStep({ ...spent, stepId: 'a', digest: 'other' })).toBe(false);
      expect(store.confirmations.consumeStep({ ...spent, stepId: 'a' })).toBe(true);
      expect(store.confirmations.consumeStep({ ...spent, stepId: 'a' })).toBe(false);
    });
    expect(store.evidence.prompts(ALL)).toEqual([{ ...prompt, actionId: 'act_9', status: 'allowed', decidedAtMs: 8 }]);
  });

  it('is who asked for the first time after a moment, the latest first', ({ store }) => {
    store.write('durable', () => {
      for (const [index, id] of ['ann', 'bob', 'eve', 'zoe'].entries()) store.users.see(id, index);
    });
    expect(store.evidence.newUsers({ afterMs: 0, limit: 2 })).toEqual([
      { userId: 'zoe', firstSeenAtMs: 3 },
      { userId: 'eve', firstSeenAtMs: 2 },
    ]);
  });
});

const NOT_FOUND = { code: 'app_not_found', message: 'No such app.', retryable: false } as const;

function withActions(rows: readonly Partial<ActionRow>[]): Store {
  const store = open();
  store.write('durable', () => {
    store.devices.insert(device());
    for (const row of rows) store.actions.insert(action(row));
  });
  return store;
}
