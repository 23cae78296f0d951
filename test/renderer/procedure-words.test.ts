import { expect, test } from 'vitest';
import { madeOf, proposedVariable } from '../../renderer/src/procedures/procedure-draft.ts';
import { labelOf, linesOf } from '../../renderer/src/procedures/procedure-words.ts';
import type { PersonsProcedure, ProcedureStep, ProcedureSubmission } from '../../src/contract/procedure.ts';

const step = (id: string, parameters: ProcedureStep['parameters'] = {}): ProcedureStep => ({
  id,
  actionType: 'Wait',
  parameters,
});
const draft = (steps: ProcedureStep[]): ProcedureSubmission => ({
  name: 'Draft',
  parameters: {},
  steps,
  may: { critical: [], minutes: 5 },
});

test('a step whose id looks like that of a check is listed as a step', () => {
  const steps = [
    { ...step('a'), expect: { text: 'Done' } },
    { ...step('b'), expect: { exitCode: 0 } },
    step('b:expect'),
  ];
  const words = ['a', 'a:expect', 'b', 'b:expect'].map(
    (id) => ({ id, sentence: id, risk: 'low', asks: false }) as const,
  );
  const item: PersonsProcedure = {
    procedure: { ...draft(steps), userId: 'ann', version: 1, digest: '', changedAt: '' },
    steps: words,
    approvals: [],
    runs: { all: 0, succeeded: 0 },
  };
  expect(linesOf(item).map(({ number, step: { id }, check }) => [number, id, check?.id])).toEqual([
    [1, 'a', 'a:expect'],
    [2, 'b', undefined],
    [3, 'b:expect', undefined],
  ]);
});

test('the file that must be there follows the value that it was proposed for', () => {
  const write = { ...step('a', { path: '~/a.txt' }), expect: { file: '~/a.txt' } };
  const variables = { 'a/path': { name: 'file', kind: 'path', detail: '~/work' } } as const;
  const fileOf = (chosen: Record<string, never> | typeof variables) =>
    madeOf(draft([write]), { name: 'A', variables: chosen, leftOut: new Set() }).steps[0]?.expect;
  expect([fileOf(variables), fileOf({})]).toEqual([{ file: { $parameter: 'file' } }, { file: '~/a.txt' }]);
});

test('a value is replaced where it stands, in lists and members too, and nowhere else', () => {
  const steps = [step('a', { args: ['x', { deep: 3 }], path: '/home/ann/Reports/a.txt' }), step('b', { args: 'x' })];
  const made = madeOf(draft(steps), {
    name: 'Made',
    variables: {
      'a/args/1/deep': { name: 'depth', kind: 'number', detail: '1 to 9' },
      'a/path': { name: 'path', kind: 'path', detail: '/home/ann/Reports' },
    },
    leftOut: new Set(['b']),
  });
  expect(made.steps).toEqual([
    step('a', { args: ['x', { deep: { $parameter: 'depth' } }], path: { $parameter: 'path' } }),
  ]);
  expect(made.parameters).toEqual({
    depth: { type: 'number', minimum: 1, maximum: 9, isWhole: true },
    path: { type: 'path', under: '/home/ann/Reports' },
  });
});

test('a parameter is named after its control or its member, and no two alike', () => {
  const named = { ...step('a'), target: { app: 'Form', role: 'textbox', name: 'Zip code*' } };
  expect(proposedVariable(named, { key: 'a/value', value: '1' }, ['zipCode']).name).toBe('zipCode2');
  expect(proposedVariable(step('a'), { key: 'a/path', value: '~/Reports/a.txt' }, [])).toEqual({
    name: 'path',
    kind: 'path',
    detail: '~/Reports',
  });
  expect(labelOf('zipCode')).toBe('Zip code');
});
