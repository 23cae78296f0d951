import { type Static, Type } from 'typebox';
import { closed } from './literals.ts';

/*
 * Calls of the models of other vendors, and the answers to them, in the shapes of the vendors. Their names are the vendors' own, and
 * members that no rule looks at are taken and left alone.
 */

const CallId = Type.String({ minLength: 1, maxLength: 128 });
const MemberName = Type.String({ minLength: 1, maxLength: 64 });
const Input = Type.Record(Type.String(), Type.Unknown());

export const AnthropicCall = Type.Object(
  {
    type: Type.Literal('tool_use'),
    id: CallId,
    name: Type.String({
      minLength: 1,
      maxLength: 64,
      description: '`computer`, with the member as `action` in `input`; or the member, where `toolset_name` is given',
    }),
    toolset_name: Type.Optional(Type.Literal('computer')),
    input: Input,
    caller: Type.Optional(Type.Unknown()),
  },
  {
    ...closed,
    description: 'a `tool_use` block of `computer_20251124` or `computer_toolset_20260801`',
    examples: [
      { type: 'tool_use', id: 'toolu_01', name: 'computer', input: { action: 'screenshot' } },
      { type: 'tool_use', id: 'toolu_02', toolset_name: 'computer', name: 'wait', input: { duration: 1 } },
    ],
  },
);
export type AnthropicCall = Static<typeof AnthropicCall>;

export const AnthropicResult = Type.Object(
  {
    type: Type.Literal('tool_result'),
    tool_use_id: CallId,
    toolset_name: Type.Optional(Type.Literal('computer')),
    is_error: Type.Optional(Type.Literal(true)),
    content: Type.Array(
      Type.Union([
        Type.Object({ type: Type.Literal('text'), text: Type.String() }, closed),
        Type.Object(
          {
            type: Type.Literal('image'),
            source: Type.Object(
              { type: Type.Literal('base64'), media_type: Type.String(), data: Type.String() },
              closed,
            ),
          },
          closed,
        ),
      ]),
    ),
  },
  { ...closed, description: 'a `tool_result` block' },
);
export type AnthropicResult = Static<typeof AnthropicResult>;

const SafetyCheck = Type.Object(
  {
    id: Type.String({ maxLength: 256 }),
    code: Type.Optional(Type.Union([Type.String({ maxLength: 256 }), Type.Null()])),
    message: Type.Optional(Type.Union([Type.String({ maxLength: 4_000 }), Type.Null()])),
  },
  closed,
);

const OpenAiAction = Type.Object({ type: MemberName });

export const OpenAiCall = Type.Object(
  {
    type: Type.Literal('computer_call'),
    call_id: CallId,
    id: Type.Optional(Type.String({ maxLength: 128 })),
    status: Type.Optional(Type.String({ maxLength: 64 })),
    action: Type.Optional(OpenAiAction),
    actions: Type.Optional(
      Type.Array(OpenAiAction, { minItems: 1, maxItems: 1, description: 'one action a call, here or in `action`' }),
    ),
    pending_safety_checks: Type.Optional(Type.Array(SafetyCheck, { maxItems: 20 })),
  },
  {
    ...closed,
    description: 'a `computer_call` item',
    examples: [
      { type: 'computer_call', call_id: 'call_01', action: { type: 'screenshot' }, pending_safety_checks: [] },
    ],
  },
);
export type OpenAiCall = Static<typeof OpenAiCall>;

const Told = Type.Object(
  { status: Type.String(), actionId: Type.Optional(Type.String()), code: Type.String(), message: Type.String() },
  closed,
);

export const OpenAiOutput = Type.Object(
  {
    type: Type.Literal('computer_call_output'),
    call_id: CallId,
    status: Type.Union([Type.Literal('completed'), Type.Literal('in_progress'), Type.Literal('incomplete')]),
    output: Type.Object({ type: Type.Literal('computer_screenshot'), image_url: Type.Optional(Type.String()) }, closed),
    acknowledged_safety_checks: Type.Optional(Type.Array(SafetyCheck)),
    handrail: Type.Optional(Type.With(Told, { description: 'why there is no picture; not for the vendor' })),
  },
  { ...closed, description: 'a `computer_call_output` item' },
);
export type OpenAiOutput = Static<typeof OpenAiOutput>;

export const GeminiCall = Type.Object(
  {
    id: Type.Optional(CallId),
    name: MemberName,
    args: Type.Optional(Input),
  },
  {
    ...closed,
    description: 'a `functionCall`',
    examples: [{ name: 'wait_5_seconds', args: {} }],
  },
);
export type GeminiCall = Static<typeof GeminiCall>;

export const GeminiResponse = Type.Object(
  {
    functionResponse: Type.Object(
      {
        id: Type.Optional(CallId),
        name: MemberName,
        response: Type.Record(Type.String(), Type.String()),
        parts: Type.Optional(
          Type.Array(
            Type.Object({ inlineData: Type.Object({ mimeType: Type.String(), data: Type.String() }, closed) }, closed),
          ),
        ),
      },
      closed,
    ),
  },
  { ...closed, description: 'a part with a `functionResponse`' },
);
export type GeminiResponse = Static<typeof GeminiResponse>;
