import { expect, test } from 'vitest';
import { alarmsOf } from '../../renderer/src/guardian/alarms.ts';
import type { Insight, MetricType, Warning } from '../../src/contract/guardian.ts';
import type { GuardianDashboard } from '../../src/contract/risk.ts';

const AT = '2026-01-05T10:00:00.000Z';
const CALM: GuardianDashboard['risk'] = {
  score: 0,
  level: 'low',
  confidence: 1,
  contributors: [],
  known: [],
  history: [],
};

function warning(metricType: MetricType | null, message: string): Warning {
  return { metricType, status: 'watch', message, since: AT };
}

function insight(title: string, metricType: MetricType, some: Partial<Insight> = {}): Insight {
  const times = { firstSeen: AT, lastSeen: AT, count: 1, status: 'open' as const };
  const about = {
    category: 'safety' as const,
    severity: 'warning' as const,
    detail: '',
    evidence: [],
    actionable: false,
  };
  return { id: title, title, metricTypes: [metricType], ...about, ...times, ...some };
}

const pause = (target: string) => ({ kind: 'pause_requester' as const, label: `Pause ${target}`, target });

test('warnings with one cause are one entry, and a matter for the person is one by itself', () => {
  const warnings = [
    warning(null, 'Everything is paused.'),
    warning('irreversible_executions', '22 without undo'),
    warning('action_success_rate', 'half failed'),
    warning('confirmation_prompt_rate', '25 prompts an hour'),
  ];
  const { toDo } = alarmsOf({ warnings, insights: [], risk: CALM });
  expect(toDo.map((alarm) => alarm.warnings.map(({ message }) => message))).toEqual([
    ['Everything is paused.'],
    ['22 without undo', '25 prompts an hour'],
    ['half failed'],
  ]);
});

test('an insight takes in the warnings and the lesser insights with its cause', () => {
  const insights = [
    insight('105 prompts', 'confirmation_prompt_rate'),
    insight('burst', 'action_burst_peak', { severity: 'high' }),
  ];
  const warnings = [warning('irreversible_executions', '22 without undo'), warning('device_readiness', 'not ready')];
  const { toDo, insights: alarms } = alarmsOf({ warnings, insights, risk: CALM });
  expect(alarms.map(({ insight: { title }, also }) => [title, also])).toEqual([
    ['burst', ['105 prompts', '22 without undo']],
  ]);
  expect(toDo.map(({ cause }) => cause)).toEqual(['device']);
});

test('what comes from two requesters keeps both next steps, and its warnings are told once', () => {
  const insights = [
    insight('of ann', 'action_burst_peak', { action: pause('ann') }),
    insight('of ben', 'action_burst_peak', { action: pause('ben') }),
  ];
  const warnings = [warning('action_rate', 'much')];
  const { toDo, insights: alarms } = alarmsOf({ warnings, insights, risk: CALM });
  expect(alarms.map(({ insight: { title }, also }) => [title, also])).toEqual([
    ['of ann', ['much']],
    ['of ben', []],
  ]);
  expect(toDo).toEqual([]);
});

test('what is over, known or only good to know is no alarm, nor is a cause that the risk shows already', () => {
  const insights = [
    insight('over', 'action_rate', { status: 'resolved' }),
    insight('known', 'action_rate', { status: 'acknowledged' }),
    insight('fact', 'action_rate', { severity: 'info' }),
  ];
  const contributor = { points: 30, cause: 'action_rate' as const, message: '', source: null, since: AT, last: AT };
  const risk = { ...CALM, contributors: [{ metricType: 'action_rate' as const, ...contributor }] };
  expect(alarmsOf({ warnings: [warning('action_rate', 'much')], insights, risk })).toEqual({ toDo: [], insights: [] });
});

test('an insight that a cause of the risk tells is not told again, and one about another requester is', () => {
  const insights = [
    insight('of ann', 'high_risk_executions', { action: pause('ann') }),
    insight('of ben', 'high_risk_executions', { action: pause('ben') }),
  ];
  const contributor = { points: 30, cause: 'requesters' as const, source: null, since: AT, last: AT };
  const told = { ...contributor, metricType: 'high_risk_executions' as const, message: 'of ben.' };
  const { insights: alarms } = alarmsOf({ warnings: [], insights, risk: { ...CALM, contributors: [told] } });
  expect(alarms.map(({ insight: { title }, also }) => [title, also])).toEqual([['of ann', []]]);
});
