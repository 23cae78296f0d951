import type { AnthropicCall, AnthropicResult } from '../contract/computer-use.ts';
import { ANTHROPIC_MEMBERS, ANTHROPIC_PICTURE } from './anthropic-members.ts';
import type { Outcome, Vendor, VendorCall } from './perform.ts';
import { doneWords, told } from './words.ts';

export const ANTHROPIC: Vendor = { name: 'anthropic', members: ANTHROPIC_MEMBERS, limits: ANTHROPIC_PICTURE };

/** The member is named by the block where it belongs to a toolset, else by the action of its input. */
export function anthropicCall({ toolset_name: toolset, name, input }: AnthropicCall): VendorCall {
  if (toolset !== undefined) return { member: name, input };
  const { action, ...rest } = input;
  return { member: name === 'computer' && typeof action === 'string' ? action : name, input: rest };
}

export function anthropicResult(call: AnthropicCall, outcome: Outcome): AnthropicResult {
  const head = {
    type: 'tool_result' as const,
    tool_use_id: call.id,
    toolset_name: call.toolset_name,
  };
  if (outcome.kind !== 'done') {
    const schema = call.toolset_name === undefined ? 'computer_20251124' : 'computer_toolset_20260801';
    const { message } = told(outcome, { member: anthropicCall(call).member, schema });
    const isError = outcome.kind !== 'unended';
    return { ...head, ...(isError && { is_error: true as const }), content: [{ type: 'text', text: message }] };
  }
  const { picture, action } = outcome;
  if (picture === undefined) return { ...head, content: [{ type: 'text', text: doneWords(action) }] };
  const source = { type: 'base64' as const, media_type: picture.mediaType, data: picture.base64 };
  return { ...head, content: [{ type: 'image', source }] };
}
