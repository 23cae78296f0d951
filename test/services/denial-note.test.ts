import { expect } from 'vitest';
import { decide } from './answers.ts';
import { type Rig, startServices, test } from './rig.ts';
import { submittedTask, taskNow } from './tasks-rig.ts';

const LINE = 'not that folder”, \u202ethe other';
const TOLD = 'The person denied it; nothing was done. They say: “not that folder\\u{201d}, \\u{202e}the other”';
const SCREENSHOT = { actionType: 'TakeScreenshot', parameters: {} };

const deny = (rig: Rig, how: { undoable?: boolean; note?: string } = {}) => decide(rig, 'deny', how);

const detailsOf = (rig: Rig, actionId: string) => rig.store.actions.findById(actionId)?.details;

test.each([true, false])('a denial carries one line to the requester, in quotes (undoable: %s)', async (undoable) => {
  const rig = startServices();
  const { actionId } = await rig.submitted(SCREENSHOT);
  deny(rig, { undoable, note: LINE });
  rig.clock.advance(10_000);
  expect(detailsOf(rig, actionId)).toBe(TOLD);
});

test('the line is not lost when the daemon ends before the denial is final', async ({ rig }) => {
  const { actionId } = await rig.submitted(SCREENSHOT);
  deny(rig, { undoable: true, note: LINE });
  expect(detailsOf(rig.crashAndRestart(), actionId)).toBe(TOLD);
});

test('a denial that is taken back takes its line back', async ({ rig }) => {
  const { actionId } = await rig.submitted(SCREENSHOT);
  const [prompt] = rig.services.console.confirmations.list();
  deny(rig, { undoable: true, note: LINE });
  rig.services.console.confirmations.undo(prompt?.id ?? '');
  deny(rig);
  expect(detailsOf(rig, actionId)).toBe('The person denied it; nothing was done.');
});

test('the denial of a plan tells each step that asked', async ({ rig }) => {
  const { taskId } = await submittedTask(rig, [{ id: 'shot', ...SCREENSHOT }, { id: 'wait' }]);
  deny(rig, { note: 'later' });
  expect(taskNow(rig, taskId).steps[0]).toMatchObject({ status: 'denied' });
  expect(JSON.stringify(taskNow(rig, taskId))).toContain('They say: “later”');
});
