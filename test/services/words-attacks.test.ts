import { expect, test } from 'vitest';
import { control, submitOn } from './hands.ts';
import { withAccess } from './hands-access.ts';

const TERMINAL = control({ app: { appName: 'XTerm', alsoKnownAs: ['xterm'], risks: [] }, role: 'window', name: '' });

test('N25: a drag is judged by both of its ends, also where their numbers are the same', async () => {
  const rig = await withAccess();
  const parameters = { from: { frameId: 'f1', x: 60, y: 100 }, to: { x: 60, y: 100 } };
  const { status, risk } = await submitOn(rig, { actionType: 'Drag', parameters }, [control(), TERMINAL]);
  expect({ status, level: risk.level }).toEqual({ status: 'awaiting_confirmation', level: 'high' });
});
