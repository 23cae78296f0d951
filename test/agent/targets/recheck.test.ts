import { expect, test } from 'vitest';
import { recheck } from '../../../agent/targets/recheck.ts';
import type { ControlTarget } from '../../../src/contract/targets.ts';
import { control } from '../../services/hands.ts';

test('N16: what has come in front of a control since is a change', () => {
  const judged: ControlTarget = { kind: 'element', elementId: 'e1', control: control() };
  expect(recheck(judged, { kind: 'element', control: control() })).toBeNull();
  expect(recheck(judged, { kind: 'element', control: control({ others: ['Pay now'] }) })).toMatchObject({
    code: 'target_changed',
    message: expect.stringContaining('Changed: what is in front of it.'),
  });
});
