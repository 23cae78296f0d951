import type { GeminiCall, GeminiResponse } from '../contract/computer-use.ts';
import { GEMINI_MEMBERS, GEMINI_PICTURE } from './gemini-members.ts';
import type { Input } from './member.ts';
import type { Outcome, Vendor, VendorCall } from './perform.ts';
import { told } from './words.ts';

export const GEMINI: Vendor = { name: 'gemini', members: GEMINI_MEMBERS, limits: GEMINI_PICTURE };

export function geminiCall({ name, args = {} }: GeminiCall): VendorCall {
  const { safety_decision: decision, ...input } = args;
  return { member: name, input, caution: decision === undefined ? undefined : cautionOf(Object(decision)) };
}

/** The decision "regular" asks for nothing; one that is not known asks for care. */
function cautionOf({ decision, explanation }: Input): VendorCall['caution'] {
  if (decision === 'regular' || decision === 'allowed') return undefined;
  return { words: typeof explanation === 'string' ? explanation : '' };
}

export function geminiResponse(call: GeminiCall, outcome: Outcome): GeminiResponse {
  const head = { id: call.id, name: call.name };
  if (outcome.kind !== 'done') {
    const schema = 'the computer use tool';
    const { code, message, status, actionId } = told(outcome, { member: call.name, schema });
    const said: Record<string, string> = outcome.kind === 'unended' ? { message } : { error: message, code };
    return { functionResponse: { ...head, response: { status, ...said, ...(actionId && { actionId }) } } };
  }
  const { picture, action, isApproved } = outcome;
  const isAcknowledged = isApproved && geminiCall(call).caution !== undefined;
  const response = {
    status: action.status,
    details: action.details,
    ...(isAcknowledged && { safety_acknowledgement: 'true' }),
  };
  const parts = picture && [{ inlineData: { mimeType: picture.mediaType, data: picture.base64 } }];
  return { functionResponse: { ...head, response, parts } };
}
