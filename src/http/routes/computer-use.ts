import type { FastifyReply, FastifyRequest } from 'fastify';
import { type TSchema, Type } from 'typebox';
import { ANTHROPIC, anthropicCall, anthropicResult } from '../../computer-use/anthropic.ts';
import { GEMINI, geminiCall, geminiResponse } from '../../computer-use/gemini.ts';
import { OPENAI, openAiCall, openAiOutput } from '../../computer-use/openai.ts';
import { createPerform, type Outcome, type Vendor, type VendorCall } from '../../computer-use/perform.ts';
import {
  AnthropicCall,
  AnthropicResult,
  GeminiCall,
  GeminiResponse,
  OpenAiCall,
  OpenAiOutput,
} from '../../contract/computer-use.ts';
import type { Services } from '../../services/offered-services.ts';
import { isRefusal, type Refusal } from '../../services/refusal.ts';
import type { App } from '../app.ts';
import type { HeldCalls } from '../open-calls.ts';
import { AS_USER } from '../openapi.ts';
import { responses, USER_PROBLEMS, WRITE_PROBLEMS } from '../responses.ts';
import { readSubmission } from '../submission.ts';

type Needed = Pick<Services, 'actions' | 'devices' | 'artifacts'>;

/** One action of a vendor's model a call, answered in the vendor's shape. */
export function addComputerUseRoutes(app: App, services: Needed, heldCalls: HeldCalls): void {
  const perform = createPerform({ services, platform: process.platform, nowMs: Date.now });

  async function performed(
    vendor: Vendor,
    call: VendorCall,
    { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  ): Promise<Outcome | Refusal> {
    const manner = readSubmission(request, reply, heldCalls);
    if (isRefusal(manner)) return manner;
    const outcome = await perform(vendor, call, manner.call);
    if (isRefusal(outcome)) return outcome;
    reply.headers(manner.headers);
    if (outcome.kind === 'done' && outcome.replayed) reply.header('idempotent-replayed', 'true');
    if (outcome.kind === 'unended') reply.code(202).header('location', `/api/tee/actions/${outcome.action.actionId}`);
    return outcome;
  }

  app.post('/computer-use/anthropic', { schema: ANTHROPIC_ROUTE }, async (request, reply) => {
    const outcome = await performed(ANTHROPIC, anthropicCall(request.body), { request, reply });
    return isRefusal(outcome) ? outcome : anthropicResult(request.body, outcome);
  });

  app.post('/computer-use/openai', { schema: OPENAI_ROUTE }, async (request, reply) => {
    const call = openAiCall(request.body);
    if (isRefusal(call)) return call;
    const outcome = await performed(OPENAI, call, { request, reply });
    return isRefusal(outcome) ? outcome : openAiOutput(request.body, outcome, call.member);
  });

  app.post('/computer-use/gemini', { schema: GEMINI_ROUTE }, async (request, reply) => {
    const outcome = await performed(GEMINI, geminiCall(request.body), { request, reply });
    return isRefusal(outcome) ? outcome : geminiResponse(request.body, outcome);
  });
}

function routeOf<Body extends TSchema>(operationId: string, vendor: string, body: Body, answer: TSchema) {
  return {
    tags: ['Computer use'],
    security: AS_USER,
    operationId,
    summary: `Do one action of a model of ${vendor}, and answer as its interface expects`,
    description:
      'The body may have 64 KiB. The device is this computer. While the person is being asked the answer is 202 and says so; the same call again finds the same prompt, and for a minute its outcome.',
    body,
    headers: Type.Object({
      'idempotency-key': Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
      prefer: Type.Optional(Type.String({ description: '`wait=<0..120>` seconds, or `respond-async`' })),
    }),
    response: responses({ 200: answer, 202: answer }, [
      ...USER_PROBLEMS,
      ...WRITE_PROBLEMS,
      'idempotency_key_invalid',
      'idempotency_in_progress',
      'idempotency_key_reused',
      'unknown_action_type',
      'parameters_invalid',
      'not_supported',
      'action_blocked',
      'action_not_found',
      'artifact_not_found',
      'artifact_expired',
      'capability_missing',
      'too_many_pending',
      'requester_paused',
      'device_offline',
      'paused',
    ]),
  };
}

const ANTHROPIC_ROUTE = routeOf('doAnthropicAction', 'Anthropic', AnthropicCall, AnthropicResult);
const OPENAI_ROUTE = routeOf('doOpenAiAction', 'OpenAI', OpenAiCall, OpenAiOutput);
const GEMINI_ROUTE = routeOf('doGeminiAction', 'Gemini', GeminiCall, GeminiResponse);
