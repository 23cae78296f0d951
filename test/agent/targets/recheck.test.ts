import { expect, test } from 'vitest';
import { recheck } from '../../../agent/targets/recheck.ts';
import type { ControlTarget } from '../../../src/contract/targets.ts';
import { control } from '../../services/hands.ts';

test('N16: what has come in front of a control since is a change', () => {
  const judged: ControlTarget = { kind: 'element', elementId: 'e1', control: control() };
  expect(recheck(judged, { kind: 'element', control: control() })).toBeNull();
  expect(recheck(judged, { kind: 'element', control: control({ others: ['Pay now'] }) })).toMatchObject({
    code: 'target_changed',
    message: expect.stringContaining('Changed: the other objects at its place.'),
  });
});

test('N30: another file in the dialog since, also by the same name, is a change', () => {
  const file = { path: '/a', realPath: '/a', kind: 'file', folder: { device: '1', inode: '1' } } as const;
  const at = (inode: string, path = '/a', more: { secret?: string } = {}) => ({
    kind: 'open' as const,
    part: 'other' as const,
    path,
    file: { ...file, ...more, path, identity: { device: '1', inode } },
  });
  const judged: ControlTarget = { kind: 'element', elementId: 'e1', control: control({ dialog: at('7') }) };
  const now = (dialog: ReturnType<typeof at>) => recheck(judged, { kind: 'element', control: control({ dialog }) });
  expect(now(at('7'))).toBeNull();
  expect(now(at('7', '/a', { secret: "Handrail's own data" }))).toBeNull();
  for (const other of [at('8'), at('7', '/b')])
    expect(now(other)).toMatchObject({ message: expect.stringContaining('the file that its dialog takes') });
});
