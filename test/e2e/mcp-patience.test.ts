import { expect, test } from 'vitest';
import { connected, textOf } from './mcp-clients.ts';
import { shareDaemon } from './shared.ts';

/** The daemon holds calls as long as it does for everybody, and takes its pictures from a real desktop. */
const { daemon, person } = await shareDaemon({ HANDRAIL_AGENT_DRIVER: '' });

/** As some clients end a call, whatever progress they are told. */
const CLIENT_LIMIT = { timeout: 30_000, resetTimeoutOnProgress: false };

test('a client over stdio that ends calls after 30 s gets the picture that the person allows after 40 s', async () => {
  const { client } = await connected(daemon.base, { door: 'stdio', protocol: '2025-06-18', name: 'patient' });
  const startMs = performance.now();
  const asked = await client.callTool({ name: 'take_screenshot', arguments: {} }, CLIENT_LIMIT);
  const { actionId } = Object(asked.structuredContent);
  expect(asked).toMatchObject({ structuredContent: { status: 'awaiting_confirmation' } });
  expect(textOf(asked)).toContain('wait_for_action');
  expect(await person.prompts()).toHaveLength(1);

  let allowedMs = 0;
  const answered = Promise.withResolvers<void>();
  const result = await client.callTool(
    { name: 'wait_for_action', arguments: { actionId } },
    {
      ...CLIENT_LIMIT,
      onprogress() {
        if (allowedMs > 0 || performance.now() - startMs < 40_000) return;
        allowedMs = performance.now() - startMs;
        person.answer('allow').then(() => answered.resolve(), answered.reject);
      },
    },
  );
  await answered.promise;
  expect(result.content.map(({ type }) => type)).toEqual(['text', 'image', 'resource_link']);
  expect(await person.prompts()).toEqual([]);
  console.log(`the call answered, the person allowed after ${Math.round(allowedMs)} ms, and the picture came`);
}, 120_000);
