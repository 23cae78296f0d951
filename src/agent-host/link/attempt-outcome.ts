import type { FailureCode, SideEffect } from '../../contract/action.ts';
import { type Attachment, type PerformFailure, type PerformResult, RPC } from '../../contract/link.ts';
import type { AttemptOutcome } from '../../services/agent/port.ts';

const CODE_OF_RPC = new Map<number, FailureCode>([
  [RPC.notSupported, 'not_supported'],
  [RPC.permissionMissing, 'permission_missing'],
  [RPC.appNotFound, 'app_not_found'],
  [RPC.timeout, 'timeout'],
  [RPC.busy, 'busy'],
  [RPC.artifactRejected, 'artifact_rejected'],
]);

const SIDE_EFFECT_OF = { none: 'none', confirmed: 'done', unverified: 'unknown' } as const satisfies Record<
  PerformResult['effect'],
  SideEffect
>;

type Received = ReadonlyMap<string, Uint8Array>;

/** `received` holds the checked bytes of every attachment the result announced, by attachment id. */
export function successfulOutcome(result: PerformResult, received: Received): AttemptOutcome {
  const { details, effect, data, attachments, undo } = result;
  return {
    ok: true,
    details,
    effect,
    data,
    undo,
    attachments: withBytes(attachments, received),
  };
}

function withBytes(attachments: readonly Attachment[], received: Received) {
  return attachments.flatMap((announced) => {
    const bytes = received.get(announced.id);
    return bytes === undefined ? [] : [{ announced, bytes }];
  });
}

/** The action succeeded, but its data or attachments cannot be trusted. */
export function rejectedOutcome({ effect }: PerformResult, reason: string): AttemptOutcome {
  return {
    ok: false,
    cancelled: false,
    code: 'artifact_rejected',
    message: `An attachment of the result was rejected: ${reason}.`,
    sideEffect: SIDE_EFFECT_OF[effect],
  };
}

export type RpcError = { code: number; message: string; data?: PerformFailure };

/** Without data the agent has not reported the side effect, so it counts as unknown. */
export function failedOutcome({ code, message, data }: RpcError, received: Received): AttemptOutcome {
  const pictures = withBytes(data?.attachments ?? [], received);
  return {
    ok: false,
    cancelled: code === RPC.cancelled,
    code: data?.code ?? CODE_OF_RPC.get(code) ?? 'internal_error',
    message,
    sideEffect: data?.sideEffect ?? 'unknown',
    ...(data?.fix === undefined ? {} : { fix: data.fix }),
    ...(pictures.length > 0 && { attachments: pictures }),
  };
}

/** For an attempt that never reached the agent. */
export function unsentOutcome(): AttemptOutcome {
  return {
    ok: false,
    cancelled: false,
    code: 'agent_unavailable',
    message: 'The device agent was not connected; the action did not reach it.',
    sideEffect: 'none',
    fix: 'Try again in a few seconds; if the agent stays away, the person can start it again at the dashboard.',
  };
}
