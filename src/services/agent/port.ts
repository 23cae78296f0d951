import type { Effect, FailureCode, SideEffect } from '../../contract/action.ts';
import type { DeviceAgent } from '../../contract/device.ts';
import type { UndoFacts } from '../../contract/files.ts';
import type { Attachment, CancelReason, HelloParams, HelloVerdict, PerformParams } from '../../contract/link.ts';

export type Received = { announced: Attachment; bytes: Uint8Array };

/** The outcome of one attempt, as the agent reported it. Attachments have passed size, digest and magic checks. */
export type AttemptOutcome =
  | {
      ok: true;
      details: string;
      effect: Effect;
      data: unknown;
      /** How the person can undo it, if they can. */
      undo?: UndoFacts;
      attachments: readonly Received[];
    }
  | {
      ok: false;
      cancelled: boolean;
      code: FailureCode;
      message: string;
      sideEffect: SideEffect;
      fix?: string;
      /** Only of an input: pictures for the person. */
      attachments?: readonly Received[];
    };

export type AttemptKey = { actionId: string; attempt: number };

/** The events that the device agent causes in the daemon, in order of arrival. */
export type AgentListener = {
  /** A link is up. Answers what is to become of each attempt the agent still holds. */
  online(hello: HelloParams): HelloVerdict[];
  accepted(key: AttemptKey): void;
  finished(key: AttemptKey, outcome: AttemptOutcome): void;
  /** The agent process is gone, or its link stayed cut beyond the grace: its open attempts will never be reported. */
  lost(): void;
  /** The link changed between starting, online and offline, or the agent reported new displays or permissions. */
  statusChanged(): void;
  /** Something the daemon did not ask for, or a broken rule of the protocol. Journaled, never acted on. */
  violated(violation: { kind: string; detail: string }): void;
};

export type AgentStatus = 'starting' | 'online' | 'offline';

/** The agents by the machine on which they act. Of a machine that is not there: one that is offline. */
export type AgentPorts = { on(machine: string): AgentPort };

/** The agent of one machine, as the services see it. */
export type AgentPort = {
  status(): AgentStatus;
  /** The connected agent's description of itself; `null` while none is connected. */
  agent(): DeviceAgent | null;
  /**
   * Sends `action.perform`. Every attempt comes to an end through the listener, never within this call: `finished`, or
   * `lost` for all that are open. One that did not reach the agent, because the link was down or was cut on the way, is
   * finished with `agent_unavailable` and the side effect `none`.
   */
  perform(params: PerformParams): void;
  /** The message has left this process when the call returns. */
  cancel(key: AttemptKey, reason: CancelReason): void;
  /** Tells the agent that an outcome is durable and may be forgotten. */
  acknowledge(key: AttemptKey): void;
};
