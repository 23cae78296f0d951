import type { OpenAiCall, OpenAiOutput } from '../contract/computer-use.ts';
import type { Refusal } from '../services/refusal.ts';
import { OPENAI_MEMBERS, OPENAI_PICTURE } from './openai-members.ts';
import type { Outcome, Vendor, VendorCall } from './perform.ts';
import { told } from './words.ts';

export const OPENAI: Vendor = { name: 'openai', members: OPENAI_MEMBERS, limits: OPENAI_PICTURE };

/** The one action of a call, or why it has none. */
export function openAiCall({
  action,
  actions = [],
  pending_safety_checks: checks = [],
}: OpenAiCall): VendorCall | Refusal {
  const [only, ...others] = [...(action === undefined ? [] : [action]), ...actions];
  if (only === undefined || others.length > 0)
    return {
      refused: 'validation_failed',
      detail: 'One action is expected, in "action" or in "actions". Send the actions of a batch one by one.',
    };
  const { type: member, ...input } = only;
  const words = checks.map(({ code, message, id }) => message ?? code ?? id).join(' ');
  return { member, input, caution: checks.length === 0 ? undefined : { words } };
}

/** The shape of the answer has no place for an error, so a call that could not begin is refused. */
export function openAiOutput(call: OpenAiCall, outcome: Outcome, member: string): OpenAiOutput | Refusal {
  const head = { type: 'computer_call_output' as const, call_id: call.call_id };
  if (outcome.kind !== 'done') {
    const { code, message, ...rest } = told(outcome, { member, schema: 'the tool computer' });
    if (outcome.kind !== 'unended' && outcome.kind !== 'failed')
      return { refused: refusalOf(outcome), detail: message, facts: { member } };
    const status = outcome.kind === 'unended' ? ('in_progress' as const) : ('incomplete' as const);
    return { ...head, status, output: { type: 'computer_screenshot' }, handrail: { ...rest, code, message } };
  }
  const { picture, isApproved } = outcome;
  const checks = call.pending_safety_checks ?? [];
  return {
    ...head,
    status: 'completed',
    output: {
      type: 'computer_screenshot',
      image_url: picture && `data:${picture.mediaType};base64,${picture.base64}`,
    },
    ...(isApproved && checks.length > 0 && { acknowledged_safety_checks: checks }),
  };
}

function refusalOf({ kind }: Extract<Outcome, { kind: 'unknown' | 'unavailable' | 'unfit' }>): Refusal['refused'] {
  if (kind === 'unavailable') return 'not_supported';
  return kind === 'unknown' ? 'unknown_action_type' : 'parameters_invalid';
}
