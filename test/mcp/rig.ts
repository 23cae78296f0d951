import type { CallToolResult } from '@modelcontextprotocol/server';
import { test as plainTest } from 'vitest';
import type { GrantScope } from '../../src/contract/console.ts';
import { createStandingCalls } from '../../src/mcp/action-calls.ts';
import { createToolCalls } from '../../src/mcp/calls.ts';
import { createFormerCalls } from '../../src/mcp/former-calls.ts';
import { toolsOf } from '../../src/mcp/tools.ts';
import { isRefusal } from '../../src/services/refusal.ts';
import { done, type Rig, startServices } from '../services/rig.ts';

export type Called = {
  result: Promise<CallToolResult>;
  /** The progress so far. */
  told: readonly string[];
  /** As if the client had gone before it had the answer. */
  leave(): void;
};

/** The calls of MCP clients over real services. A call is not held, so that the test says what happens between two. */
export function startCalls() {
  const services = startServices();
  const refused: string[] = [];
  const parts = {
    services: services.services,
    standing: createStandingCalls(),
    formerCalls: createFormerCalls(),
    nowMs: services.clock.nowMs,
    platform: 'linux' as const,
  };
  const call = createToolCalls(parts, toolsOf('full'));

  function begin(
    name: string,
    args: Record<string, unknown> = {},
    { userId = 'mcp:probe', holdMs = 0, claims = 'probe' } = {},
  ): Called {
    const gone = new AbortController();
    const closed = new AbortController();
    const caller = {
      closed: closed.signal,
      userId,
      gone: gone.signal,
      hurry: gone.signal,
      holdMs,
      program: async () => ({ kind: 'unknown', because: 'a test', claims }) as const,
      refused: (refusal: { refused: string }) => void refused.push(refusal.refused),
    };
    const told: string[] = [];
    const tell = async (message: string) => void told.push(message);
    const result = call({ name, args }, { caller, tell }).finally(() => closed.abort());
    return { result, told, leave: () => gone.abort() };
  }

  return {
    ...services,
    refused,
    begin,
    /** Calls a tool and takes the answer. */
    call: (
      name: string,
      args?: Record<string, unknown>,
      options?: { userId?: string; holdMs?: number; claims?: string },
    ) => begin(name, args, options).result,
    prompts: () => services.services.console.confirmations.list(),
    /** Answers the only prompt, and lets the agent do what was allowed. */
    async allow() {
      decide(services, 'allow');
      await services.sent();
      await services.agent.answer(done());
    },
    /** Denies the only prompt as the page does: for 10 s it can be undone. */
    denyForNow: () => decide(services, 'deny', 'once', { undoable: true }),
    deny: () => decide(services, 'deny'),
    decide: (decision: 'allow' | 'deny', scope?: GrantScope) => decide(services, decision, scope),
  };
}

/** Tests that get such calls of their own, as `rig`. */
export const test = plainTest.extend('rig', () => startCalls());

function decide(
  rig: Rig,
  decision: 'allow' | 'deny',
  scope: GrantScope = 'once',
  how: { undoable?: boolean } = {},
): void {
  const { confirmations } = rig.services.console;
  const [first] = confirmations.list();
  const prompt = first === undefined ? undefined : confirmations.get(first.id);
  if (prompt === undefined || isRefusal(prompt)) throw new Error('there is no prompt to answer');
  confirmations.shown(prompt.id);
  rig.clock.advance(3_000);
  const { id, nonce, actionDigest } = prompt;
  const answer = confirmations.decide(id, { decision, scope, nonce, actionDigest, ...how });
  if (isRefusal(answer)) throw new Error(answer.detail);
}

/** What a model reads of a result. */
export function textOf({ content }: CallToolResult): string {
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}
