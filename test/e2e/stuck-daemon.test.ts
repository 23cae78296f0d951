import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { until } from '../desktop/processes.ts';
import { skipWithout } from '../runner/skip-without.ts';
import { startScriptsRig } from './scripts-rig.ts';

/** No other program sleeps as long. */
const SLEEP_SECONDS = 86_399;

test('D4: while the thread of the daemon is stuck its agent ends a script, leaves a read alone, and reports both as they were', async (context) => {
  skipWithout('Linux', context);
  const rig = await startScriptsRig();
  const action = { targetDeviceId: rig.targetDeviceId, actionType: 'Wait', parameters: { durationMs: 5_000 } };
  const wait = await rig.daemon.submit(action, { headers: { prefer: 'wait=0' } });
  const script = { interpreter: 'sh', folder: '~/work', script: `exec sleep ${SLEEP_SECONDS}` };
  const { body } = await rig.submit('RunScript', script);
  await rig.answer('allow');
  await until('the script runs', async () => isSleeping() || undefined, 30_000);

  rig.daemon.kill('SIGSTOP');
  await until('the script has ended', async () => !isSleeping() || undefined, 30_000);
  rig.daemon.kill('SIGCONT');

  expect(await rig.ended(body)).toMatchObject({
    status: 'unknown',
    effect: 'unverified',
    details: expect.stringMatching(/^Handrail's daemon did not answer for 2 s .*something may have been done by then/),
    error: { code: 'internal_error', retryable: false },
  });
  expect(await rig.ended(wait.body)).toMatchObject({ status: 'success' });
});

/** Whether a process of the script is there, as the system has it. */
function isSleeping(): boolean {
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return processes.some((pid) => commandOf(pid) === `sleep\0${SLEEP_SECONDS}\0`);
}

/** Nothing where the process has ended. */
function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
