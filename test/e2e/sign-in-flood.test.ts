import { expect, onTestFinished, test } from 'vitest';
import { startDaemonProcess } from './daemon.ts';

const WORKERS = 24;
const ATTEMPTS = 500;
const LARGE = JSON.stringify({ code: 'x'.repeat(1_000_000) });
const WRONG = JSON.stringify({ code: 'QQQQ-QQQQ' });

test('D3: under a flood of large bodies and wrong codes every attempt is refused, and the right code still opens', async () => {
  const daemon = await startDaemonProcess({ HANDRAIL_AGENT_DRIVER: 'fake' });
  onTestFinished(daemon.stop);
  const stop = new AbortController();
  const statuses = new Map<string, number>();
  const attempt = async (kind: 'large' | 'wrong') => {
    const body = kind === 'large' ? LARGE : WRONG;
    const headers = { origin: daemon.base, 'content-type': 'application/json' };
    const seen = await fetch(`${daemon.base}/api/console/session`, { method: 'POST', headers, body }).then(
      async (response) => {
        await response.arrayBuffer();
        return `${kind} ${response.status}`;
      },
      // The daemon answers a large body before it is read and closes; a client still sending may see the end alone.
      () => `${kind} cut`,
    );
    statuses.set(seen, (statuses.get(seen) ?? 0) + 1);
  };
  const flood = Array.from({ length: WORKERS }, async (_, worker) => {
    for (let count = 0; count < ATTEMPTS && !stop.signal.aborted; count += 1) {
      await attempt(worker % 3 === 0 ? 'large' : 'wrong');
    }
  });
  while ((statuses.get('wrong 429') ?? 0) < 100) await new Promise((resolve) => setTimeout(resolve, 10));
  const answered = () => [...statuses.values()].reduce((sum, count) => sum + count, 0);
  const before = answered();
  const person = await daemon.signIn();
  const meanwhile = answered() - before;
  expect(person.key).toMatch(/^[\w-]{43}$/);
  expect(await person.prompts()).toEqual([]);
  stop.abort();
  await Promise.all(flood);
  // Its few calls come in turn, not after the flood of 12,000: some thirty others were answered meanwhile.
  expect(meanwhile).toBeLessThan(20 * WORKERS);
  expect([...statuses.keys()].filter((seen) => !/^(large (413|cut)|wrong (401|429))$/.test(seen))).toEqual([]);
  expect(statuses.get('large 413')).toBeGreaterThan(0);
  expect(statuses.get('wrong 401')).toBeLessThanOrEqual(10);
  expect((await daemon.health()).status).toBe(200);
}, 180_000);
