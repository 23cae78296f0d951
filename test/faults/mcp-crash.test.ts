import type { CallToolResult } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { RunningDaemon } from '../e2e/daemon.ts';
import { connected, type Door, textOf } from '../e2e/mcp-clients.ts';
import { shareOf } from '../runner/share.ts';
import { fallenBlows, planBlows } from './blows.ts';
import { clear, effectsOf, killLife, makeCell, makeTemplate, startLife, type Template } from './cell.ts';

/**
 * A client of MCP whose daemon is killed while its call is held. It gets an outcome all the same: over standard input by the same call, which
 * goes on with the next daemon; over HTTP by making the same call again. Nothing is done twice, and nobody is asked twice.
 */
const POINTS = [
  'inside action.requested',
  'after action.requested',
  'after confirmation.shown',
  'inside action.allowed',
  'after action.allowed',
  'after action.dispatched',
  'inside action.succeeded',
  'after action.succeeded',
];

const QUIT = { name: 'quit_app', arguments: { appName: 'Keyring' } };
const PATIENCE_MS = 60_000;

type Call = typeof QUIT | { name: string; arguments: Record<string, unknown> };
type CallTool = (call: Call) => Promise<CallToolResult>;

let template: Template;
beforeAll(async () => {
  template = await makeTemplate();
});
afterAll(() => clear(template));

/** Answers each prompt with Allow until the daemon is killed, at which its calls fail. */
async function allowAll(daemon: RunningDaemon): Promise<void> {
  try {
    const person = await daemon.signIn();
    for (;;) {
      if ((await person.prompts()).length > 0) await person.answer('allow');
      await new Promise((resolve) => void setTimeout(resolve, 50));
    }
  } catch {
    return;
  }
}

/** A plain client over HTTP, which has no way of its own to go on after a cut connection. */
function overHttp(base: string): CallTool {
  return async (params) => {
    const response = await fetch(new URL('/mcp', base), {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2025-06-18',
        'x-user-id': 'mcp:plain',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    });
    const text = await response.text();
    const messages = text.startsWith('{') ? [text] : [...text.matchAll(/^data: (.+)$/gmu)].map(([, data = '']) => data);
    const answer = messages.map((message) => JSON.parse(message)).find(({ id }) => id === 1);
    if (answer?.result === undefined) throw new Error(`no result: ${text}`);
    return answer.result;
  };
}

async function overStdio(base: string): Promise<CallTool> {
  const { client } = await connected(base, { door: 'stdio', protocol: '2025-06-18' });
  return async (params) => (await client.callTool(params, { timeout: PATIENCE_MS })) as CallToolResult;
}

/** The outcome, waited for as the answers say. */
async function outcomeOf(callTool: CallTool, first: CallToolResult): Promise<CallToolResult> {
  let result = first;
  while (/^(?:awaiting_confirmation|running|queued)/u.test(textOf(result)))
    result = await callTool({
      name: 'wait_for_action',
      arguments: { actionId: Object(result.structuredContent).actionId },
    });
  return result;
}

/** Lets the daemon be killed at a point of the call, and starts the next one at the same address. */
async function killedAt(at: string, door: Door) {
  const cell = makeCell(template, []);
  onTestFinished(() => clear(cell));
  planBlows(cell.folder, [{ at, kill: ['daemon'] }]);
  const first = await startLife(cell.folder);
  await isOnline(first);
  const allowed = allowAll(first);
  const callTool = door === 'stdio' ? await overStdio(first.base) : overHttp(first.base);
  const answer = callTool(QUIT).catch(() => undefined);
  await first.exited;
  await allowed;
  const second = await startLife(cell.folder, first.port);
  onTestFinished(() => killLife(cell.folder, second));
  await isOnline(second);
  void allowAll(second);
  return { cell, callTool, answer: await answer };
}

async function isOnline(daemon: RunningDaemon): Promise<void> {
  await daemon.agentOnline(PATIENCE_MS);
}

const CASES = (['stdio', 'http'] as const).flatMap((door) => POINTS.map((at): [Door, string] => [door, at]));

test.each(shareOf(CASES, 3))(
  'over %s a call whose daemon is killed %s has one outcome, and is done at most once',
  async (door, at) => {
    const { cell, callTool, answer } = await killedAt(at, door);
    expect(fallenBlows(cell.folder)).toEqual([at]);
    expect(answer === undefined).toBe(door === 'http');
    const outcome = await outcomeOf(callTool, answer ?? (await callTool(QUIT)));
    const listed = await callTool({ name: 'list_actions', arguments: {} });
    const [action, ...others] = Object(listed.structuredContent).actions;
    const effects = effectsOf(cell).length;
    expect([others, effects <= 1]).toEqual([[], true]);
    if (outcome.isError === true)
      expect(textOf(outcome)).toMatch(/(?:^|\n)(?:expired|unknown|failed|agent_unavailable)/u);
    else expect([action.status, effects]).toEqual(['success', 1]);
  },
);
