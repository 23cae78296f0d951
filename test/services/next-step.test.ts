import { expect, test } from 'vitest';
import { nextStep } from '../../src/services/guardian/explain-risk.ts';

const by = (requester: string) => ({ requester, held: undefined, isJournal: false, isApproved: false });

test.each(['confirmation_approval_rate', 'confirmation_response_p50', 'hasty_approval_share'] as const)(
  '%s is about a habit of the person, so the step is no pause of a requester',
  (cause) => {
    expect(nextStep(cause, by('ann'))).toEqual({
      kind: 'inspect',
      label: 'Look at the actions that you allowed',
      target: '/api/console/activity',
    });
  },
);

test('a cause that one requester is behind has its pause as the step', () => {
  expect(nextStep('action_rate', by('ann'))).toMatchObject({ kind: 'pause_requester', target: 'ann' });
});

test('where the person approved each action on a desktop without a past, the step is to look at them', () => {
  const approved = { ...by('ann'), isApproved: true };
  expect(nextStep('irreversible_executions', approved)).toMatchObject({ kind: 'inspect' });
  expect(nextStep('action_burst_peak', approved)).toMatchObject({ kind: 'pause_requester' });
});
