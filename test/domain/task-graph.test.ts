import { describe, expect, test } from 'vitest';
import {
  type GraphStep,
  graphFaults,
  parseReference,
  resolveReferences,
  valueAt,
} from '../../src/domain/task-graph.ts';

const step = (id: string, dependsOn: string[] = [], more: Partial<GraphStep> = {}): GraphStep => {
  return { id, dependsOn, parameters: {}, effectClass: 'pure', ...more };
};

describe('a graph of steps', () => {
  test('is sound when every step waits for others that do not wait for it', () => {
    expect(graphFaults([step('c', ['a', 'b']), step('a'), step('b', ['a'])])).toEqual([]);
  });

  test('with a cycle is refused with the path of it', () => {
    expect(graphFaults([step('z', ['a']), step('a', ['c']), step('b', ['a']), step('c', ['b'])])).toEqual([
      {
        fault: 'cycle',
        pointer: '/steps/1/dependsOn',
        message: 'the steps wait for each other in a circle: a → c → b → a',
      },
    ]);
  });

  test('with an id twice, an unknown one and a step that waits for itself is told all of it', () => {
    const faults = graphFaults([step('a'), step('a'), step('b', ['b']), step('c', ['nobody'])]);
    expect(faults.map(({ fault, pointer }) => [fault, pointer])).toEqual([
      ['duplicate_id', '/steps/1/id'],
      ['self_dependency', '/steps/2/dependsOn/0'],
      ['unknown_dependency', '/steps/3/dependsOn/0'],
    ]);
  });

  test('with a step that depends on itself is refused for that, and not as a cycle', () => {
    const faults = graphFaults([{ id: 'a', dependsOn: ['a'], parameters: {} }]);
    expect(faults.map(({ fault, pointer }) => [fault, pointer])).toEqual([['self_dependency', '/steps/0/dependsOn/0']]);
  });

  test('may not retry what may happen only once', () => {
    const retry = { maxAttempts: 2 };
    expect(graphFaults([step('a', [], { retry }), step('b', [], { retry, effectClass: 'once' })])).toEqual([
      expect.objectContaining({ fault: 'retry_of_once', pointer: '/steps/1/retry' }),
    ]);
  });

  test('may have a hundred steps and not one more', () => {
    const steps = Array.from({ length: 101 }, (_, index) => step(`s${index}`));
    expect(graphFaults(steps.slice(1))).toEqual([]);
    expect(graphFaults(steps)).toMatchObject([{ fault: 'too_many_steps', pointer: '/steps' }]);
  });

  test('may refer to ancestors, near and far, and to nobody else', () => {
    const from = (text: unknown) => ({ parameters: { list: [{ $from: text }] } });
    const steps = (text: unknown) => [step('a'), step('b', ['a']), step('c', ['b'], from(text)), step('d')];
    expect(graphFaults(steps('a.data.x'))).toEqual([]);
    expect(graphFaults(steps('d.data'))).toMatchObject([
      { fault: 'reference_not_ancestor', pointer: '/steps/2/parameters/list/0' },
    ]);
    for (const wrong of ['a', 'a.', 'a..x', 'nobody.x', 7])
      expect(graphFaults(steps(wrong))).toMatchObject([{ fault: 'reference_malformed' }]);
  });
});

describe('references', () => {
  const find = (from: unknown) => {
    const reference = parseReference(from, ['a', 'a.b']);
    return reference && valueAt({ data: { of: reference.stepId, rows: [{ n: 1 }] } }, reference.path);
  };

  test('become what the step came to, wherever they stand', () => {
    const value = { x: { $from: 'a.data.of' }, y: [{ $from: 'a.data.rows.0.n' }], z: { $from: 'a.b.data.of' } };
    expect(resolveReferences(value, find)).toEqual({ ok: true, value: { x: 'a', y: [1], z: 'a.b' } });
  });

  test('have at most 500 characters', () => {
    const path = 'x'.repeat(498);
    expect(parseReference(`a.${path}`, ['a'])).toEqual({ stepId: 'a', path: [path] });
    expect(parseReference(`a.${path}x`, ['a'])).toBeUndefined();
  });

  test('that lead nowhere, or to what is not data, are named', () => {
    for (const from of ['a.data.none', 'a.constructor', 'a.data.rows.0.n.toString', 'a.data.__proto__'])
      expect(resolveReferences({ x: { $from: from } }, find)).toEqual({ ok: false, missing: from });
  });
});
