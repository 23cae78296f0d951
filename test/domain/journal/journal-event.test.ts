import { expect, test } from 'vitest';
import { isAbout, recordedEvent } from '../../../src/domain/journal/journal-event.ts';

const at = { seq: 7, atMs: 1_000 };

test('an event of this build is read with all its facts', () => {
  const metadata = { status: 'running', attempt: 2, taskId: 'tsk_1', stepId: 'save' };
  expect(recordedEvent({ ...at, kind: 'action.dispatched', actionId: 'act_1', metadata })).toEqual({
    ...at,
    kind: 'action.dispatched',
    actionId: 'act_1',
    metadata,
  });
});

test.each([
  ['no facts', {}, {}],
  ['fewer facts', { type: 'Wait', risk: 'low' }, { type: 'Wait', risk: 'low' }],
  ['a fact of a newer build', { type: 'Wait', mood: 'calm' }, { type: 'Wait' }],
  ['a word that this build does not know', { type: 'Wait', risk: 'extreme' }, { type: 'Wait' }],
  ['a fact of another type', { type: 7, irreversible: 'yes', verdict: null }, { verdict: null }],
  ['null in the place of facts', null, {}],
  ['a list in the place of facts', ['low'], {}],
  ['a number in the place of facts', 3, {}],
  ['names that every object has', { constructor: 'x', toString: 'y' }, {}],
])('of a row with %s the known facts are read', (_, stored, metadata) => {
  const event = recordedEvent({ ...at, kind: 'action.requested', metadata: stored });
  expect(event).toEqual({ ...at, kind: 'action.requested', metadata });
});

test.each(['action.delegated', 'planet.discovered', 'filler', '', 'constructor', 'toString'])(
  'a row of the kind "%s", which this build does not know, is an unknown event at its time',
  (kind) => {
    const event = recordedEvent({ ...at, userId: 'ann', kind, metadata: { status: 'success' } });
    expect(event).toEqual({ ...at, userId: 'ann', kind: 'unknown' });
  },
);

test('an event is about the subject before the dot', () => {
  const event = recordedEvent({ ...at, kind: 'requester.paused', metadata: {} });
  expect([isAbout(event, 'requester'), isAbout(event, 'request')]).toEqual([true, false]);
});
