import { expect, test } from 'vitest';
import { startRig } from './rig.ts';

const KIB = 1024;

/** Sends a body that is exactly this text. */
async function send(path: string, text: string) {
  const rig = await startRig();
  const response = await fetch(`${rig.url}${path}`, {
    method: 'POST',
    headers: { 'x-user-id': 'ann', 'content-type': 'application/json' },
    body: text,
  });
  const body = Object(await response.json());
  return { status: response.status, code: body.code, detail: body.detail, errors: body.errors, body };
}

const names = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`name${index}`, 1]));

test('a body of 10,000 members is read, and one of 10,001 is refused with the limit', async () => {
  const read = await send('/api/tee/tasks', JSON.stringify(names(10_000)));
  expect(read).toMatchObject({ status: 400, code: 'validation_failed' });
  expect(read.errors).toHaveLength(20);
  const refused = await send('/api/tee/tasks', JSON.stringify(names(10_001)));
  expect(refused).toMatchObject({
    status: 413,
    code: 'payload_too_large',
    body: { maxMembers: 10_000 },
    detail: expect.stringMatching(/10000 members.*This one has more\. Send less at once\./),
  });
});

test('items of arrays count as members, however deep they are', async () => {
  const steps = Array.from({ length: 100 }, () => ({ dependsOn: Array.from({ length: 100 }, () => 1) }));
  expect(await send('/api/tee/tasks', JSON.stringify({ steps }))).toMatchObject({
    status: 413,
    code: 'payload_too_large',
  });
});

test.each(['/api/tee/actions', '/api/tee/devices/register'])(
  'the body of POST %s may have 64 KiB, and one byte more is refused with the limit',
  async (path) => {
    const text = JSON.stringify({ name: 'x' });
    expect(await send(path, text.padEnd(64 * KIB))).toMatchObject({ status: 400, code: 'validation_failed' });
    expect(await send(path, text.padEnd(64 * KIB + 1))).toMatchObject({
      status: 413,
      code: 'payload_too_large',
      body: { maxBytes: 65_536 },
      detail: expect.stringMatching(/65536 bytes \(64 KiB\).*only a task may have 256 KiB/),
    });
  },
);

test('the body of a task may have 256 KiB, and one byte more is refused', async () => {
  const text = JSON.stringify({ name: 'x' });
  expect(await send('/api/tee/tasks', text.padEnd(256 * KIB))).toMatchObject({
    status: 400,
    code: 'validation_failed',
  });
  expect(await send('/api/tee/tasks', text.padEnd(256 * KIB + 1))).toMatchObject({
    status: 413,
    body: { maxBytes: 262_144 },
  });
});
