import type { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, test } from 'vitest';
import { until } from '../desktop/processes.ts';
import { connected, textOf, WAYS } from './mcp-clients.ts';
import { shareDaemon } from './shared.ts';

/** Calls are held for two seconds here, so that no test waits as long as a client would. */
const { daemon, person } = await shareDaemon({ HANDRAIL_MCP_WAIT_SECONDS: '2' });

/** The prompts of one requester. */
async function promptsOf(userId: string) {
  return (await person.prompts()).filter(({ prompt }) => prompt.requester.userId === userId);
}

async function promptOf(userId: string) {
  return until('a prompt of the client waits', async () => (await promptsOf(userId))[0]);
}

describe.each(WAYS)('over %s in protocol %s', (door, protocol) => {
  const way = (name: string) => ({ door, protocol, name: `${name}-${door}-${protocol}` });

  test('a client lists the tools, describes the screen and opens an app without a prompt', async () => {
    const { client } = await connected(daemon.base, way('looker'));
    expect(client.getNegotiatedProtocolVersion()).toBe(protocol);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('wait_for_action');
    const screen = await client.callTool({ name: 'describe_screen', arguments: {} });
    expect(screen).toMatchObject({ structuredContent: { status: 'success' } });
    expect(textOf(screen)).toContain('Text Editor');
    const opened = await client.callTool({ name: 'open_app', arguments: { appName: 'Notes' } });
    expect(opened).toMatchObject({ structuredContent: { status: 'success', data: { appName: 'Notes' } } });
    expect(await promptsOf(`mcp:looker-${door}-${protocol}`)).toEqual([]);
  });

  test('a screenshot that the person allows later than the call is held is fetched by its id', async () => {
    const name = way('late');
    const { client } = await connected(daemon.base, name);
    const told: string[] = [];
    const asked = await client.callTool(
      { name: 'take_screenshot', arguments: {} },
      { onprogress: ({ message }) => told.push(String(message)) },
    );
    const { actionId } = Object(asked.structuredContent);
    expect(asked).toMatchObject({ structuredContent: { status: 'awaiting_confirmation' } });
    expect(asked.isError).toBeUndefined();
    expect(textOf(asked)).toContain(`wait_for_action with {"actionId":"${actionId}"}`);
    expect(told[0]).toMatch(/^act_\w+: Waiting for the person at this computer .* about \d+ s left\.$/);

    // The same call finds the same prompt.
    const again = await client.callTool({ name: 'take_screenshot', arguments: {} });
    expect(again).toMatchObject({ structuredContent: { status: 'awaiting_confirmation', actionId } });
    expect(await promptsOf(`mcp:${name.name}`)).toHaveLength(1);

    const fetched = client.callTool({ name: 'wait_for_action', arguments: { actionId } });
    await person.answer('allow');
    const first = await fetched;
    const result =
      Object(first.structuredContent).status === 'success'
        ? first
        : await client.callTool({ name: 'wait_for_action', arguments: { actionId } });
    expect(result.content.map(({ type }) => type)).toEqual(['text', 'image', 'resource_link']);
    const [, , link] = result.content;
    const { contents } = await client.readResource({ uri: link?.type === 'resource_link' ? link.uri : '' });
    expect(contents).toMatchObject([{ mimeType: 'image/png', blob: expect.stringMatching(/^iVBOR/) }]);
  });

  test('a client that ends its call early leaves no prompt behind', async () => {
    const name = way('hasty');
    const { client } = await connected(daemon.base, name);
    const controller = new AbortController();
    const call = client.callTool({ name: 'take_screenshot', arguments: {} }, { signal: controller.signal });
    call.catch(() => undefined);
    await promptOf(`mcp:${name.name}`);
    controller.abort();
    await expect(call).rejects.toThrow();
    await until('the prompt has gone', async () => (await promptsOf(`mcp:${name.name}`)).length === 0 || undefined);
  });

  test('a failed action is an error with its stable code', async () => {
    const { client } = await connected(daemon.base, way('failing'));
    const result = await client.callTool({ name: 'open_app', arguments: { appName: 'Nowhere' } });
    expect(result).toMatchObject({ isError: true, structuredContent: { error: { code: 'app_not_found' } } });
    expect(textOf(result)).toMatch(/^app_not_found: /);
  });
});

test('a client whose process is killed while its call waits leaves no prompt behind', async () => {
  const { client, transport } = await connected(daemon.base, { door: 'stdio', protocol: '2025-06-18', name: 'killed' });
  client.callTool({ name: 'take_screenshot', arguments: {} }).catch(() => undefined);
  await promptOf('mcp:killed');
  process.kill((transport as StdioClientTransport).pid ?? 0, 'SIGKILL');
  await until('the prompt has gone', async () => (await promptsOf('mcp:killed')).length === 0 || undefined);
});

test('M6: an acceptance that a client makes up approves nothing', async () => {
  const headers = { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2026-07-28' };
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'forger', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
  };
  const call = (params: object) =>
    daemon.call<{ result: { structuredContent: { status: string; actionId: string } } }>('/mcp', {
      headers: { ...headers, 'mcp-method': 'tools/call', 'mcp-name': 'take_screenshot' },
      body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'take_screenshot', _meta, ...params } },
    });
  const accepted = { action: 'accept', content: { allow: true } };
  const { body } = await call({ arguments: {}, inputResponses: { prompt: accepted, allow: accepted } });
  expect(body.result.structuredContent.status).toBe('awaiting_confirmation');
  const posted = await daemon.call('/mcp', { body: { jsonrpc: '2.0', id: 'prompt', result: accepted }, headers });
  expect(posted.status).toBeLessThan(500);
  const prompts = await promptsOf('mcp:forger');
  expect(prompts.map(({ status }) => status)).toEqual(['pending']);
  expect(JSON.stringify(body)).not.toContain('elicitation');
  await daemon.call(`/api/tee/actions/${body.result.structuredContent.actionId}/cancel`, {
    method: 'POST',
    userId: 'mcp:forger',
  });
});
