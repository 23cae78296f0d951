import { expect } from 'vitest';
import { MOUSEPAD, submitOn } from './hands.ts';
import { answerLook } from './looks.ts';
import { done, test } from './rig.ts';
import { answerPrompt } from './tasks-rig.ts';

const shot = { actionType: 'TakeScreenshot', parameters: {} };

test('a requester is told its own grants, with the time left, until they end', async ({ rig }) => {
  const { ownAccess } = rig.services;
  expect(ownAccess('ann')).toEqual({ access: [], grants: [], folders: [] });
  await rig.submitted(shot);
  await answerPrompt(rig, 'allow', 'minutes15');
  rig.clock.advance(60_000);
  const [grant] = rig.services.console.grants.list();
  expect(ownAccess('ann').grants).toEqual([
    {
      actionType: 'TakeScreenshot',
      allows: '“ann” can take screenshots of the main display on "Desk" for 15 minutes.',
      expiresAt: grant?.expiresAt,
      secondsLeft: 840,
    },
  ]);
  expect(ownAccess('eve').grants).toEqual([]);
  rig.services.console.grants.revoke(String(grant?.id));
  expect(ownAccess('ann').grants).toEqual([]);
});

test('access to an app stands apart from the other grants', async ({ rig }) => {
  rig.agent.apps.set('Mousepad', done({ data: MOUSEPAD }));
  await submitOn(rig, { actionType: 'RequestAccess', parameters: { apps: ['Mousepad'], allow: 'look', minutes: 10 } });
  await answerPrompt(rig, 'allow');
  await rig.agent.answer(done());
  const { access, grants } = rig.services.ownAccess('ann');
  expect(access).toMatchObject([{ allows: expect.stringContaining('look at “Mousepad”'), secondsLeft: 600 }]);
  expect(grants).toEqual([]);
});

test('a folder that the person allowed it, or everybody, is told by its path', async ({ rig }) => {
  const folder = { device: '1', inode: '2' };
  const path = '/home/ann/notes';
  const allowing = rig.services.console.folders.allow({ userId: '*', path, access: 'write' });
  await rig.sent();
  await answerLook(rig, { path, realPath: path, kind: 'folder', identity: folder, folder });
  await allowing;
  expect(rig.services.ownAccess('ann').folders).toEqual([{ path, access: 'write' }]);
});
