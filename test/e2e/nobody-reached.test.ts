import { expect, test } from 'vitest';
import { connected, textOf } from './mcp-clients.ts';
import { shareDaemon } from './shared.ts';

/** Nobody is there: no page is open, there is no notification server, and no hook. Its prompts wait as short as a person can choose. */
const { daemon, person } = await shareDaemon({ HANDRAIL_MCP_WAIT_SECONDS: '45' });
const settings = await person.call('/settings', { method: 'PUT', body: { promptExpiryMs: 30_000 } });
expect(settings.status).toBe(200);

const MESSAGE =
  'Nobody could be reached: no page of the dashboard was open, and no notification, hook or terminal took the call. Nothing was done.';
const FIX = 'Ask the person to open the dashboard, then submit it again.';

test('a program learns over HTTP that nobody could be reached, and what to do', { timeout: 120_000 }, async () => {
  const { id: targetDeviceId } = await daemon.register();
  const body = { targetDeviceId, actionType: 'TakeScreenshot', parameters: {} };
  const { status, body: action } = await daemon.submit(body, { headers: { prefer: 'wait=60' } });
  expect([status, action]).toEqual([
    200,
    expect.objectContaining({
      status: 'expired',
      details: MESSAGE,
      effect: 'none',
      error: { code: 'nobody_reached', message: MESSAGE, fix: FIX, retryable: false },
    }),
  ]);
});

test('a model learns over MCP that nobody could be reached, and what to do', { timeout: 120_000 }, async () => {
  const { client } = await connected(daemon.base, { door: 'http', protocol: '2026-07-28', name: 'alone' });
  const result = await client.callTool({ name: 'take_screenshot', arguments: {} }, { timeout: 60_000 });
  expect(result).toMatchObject({
    isError: true,
    structuredContent: { status: 'expired', error: { code: 'nobody_reached', message: MESSAGE } },
  });
  expect(textOf(result)).toBe(`nobody_reached: ${MESSAGE}\n${FIX}`);
});
