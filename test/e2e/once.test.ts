import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Action } from '../../src/contract/action.ts';
import { until } from '../desktop/processes.ts';
import { startDaemonProcess } from './daemon.ts';

test('an agent that dies after it asked an app to close leaves the action unknown, and nobody asks again', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'handrail-once-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const ledgerPath = join(folder, 'ledger');
  const scenario = { ledgerPath, quitApp: { afterEffect: { mishap: 'crash' } } };
  const daemon = await startDaemonProcess({
    HANDRAIL_AGENT_DRIVER: 'fake',
    HANDRAIL_FAKE_SCENARIO: JSON.stringify(scenario),
  });
  onTestFinished(() => daemon.stop());
  const device = await daemon.register();
  const firstPid = await daemon.agentPid();
  const person = await daemon.signIn();
  const submission = { targetDeviceId: device.id, actionType: 'QuitApp', parameters: { appName: 'Keyring' } };
  const { body: submitted } = await daemon.submit(submission);
  await person.answer('allow');
  const action = await until('the action has ended', async () => {
    const { body } = await daemon.call<Action>(`/api/tee/actions/${submitted.actionId}`, { userId: 'ann' });
    return body.finishedAt !== undefined && body;
  });
  expect(action).toMatchObject({ status: 'unknown', effect: 'unverified' });
  await until('the next agent is online', async () => {
    return (await daemon.health()).body.checks.agent === 'online' && (await daemon.agentPid()) !== firstPid;
  });
  const { body } = await daemon.submit({ ...submission, actionType: 'Wait', parameters: { durationMs: 0 } });
  expect(body.status).toBe('success');
  expect(readFileSync(ledgerPath, 'utf8')).toBe('{"happened":"quit","app":"Keyring"}\n');
});
