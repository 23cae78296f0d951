import type { ProfileName, Scope } from './rail-model.ts';

export const USERS = ['ann', 'eve', 'bob'] as const;

/** What may happen to the rail. Numbers choose among what there is: `pick`. */
export type Operation =
  | { does: 'submit'; user: number; kind: number; named?: ProfileName | undefined }
  | { does: 'show'; prompt: number }
  | { does: 'hold'; prompt: number; phase: 'press' | 'release' }
  | { does: 'decide'; prompt: number; yes: boolean; scope: Scope; with: 'its own' | 'another nonce' | 'another digest' }
  | { does: 'decideAgain'; prompt: number }
  /** As a person would who means it: shown, waited for, held where `holds`, answered; with the agent there, or gone. */
  | { does: 'consent'; prompt: number; scope: Scope; holds: boolean; agentIsGone: boolean }
  | { does: 'wait'; ms: number }
  /** The machine is suspended: the wall clock goes on, and no timer does. */
  | { does: 'sleep'; ms: number }
  | { does: 'revoke'; grant: number }
  | { does: 'assign'; user: number; profile: ProfileName }
  | { does: 'pause' | 'resume' | 'loseAgent' | 'restart' }
  | { does: 'agent'; becomes: 'online' | 'starting' | 'offline' }
  | { does: 'answer'; attempt: number; how: 'done' | 'failed' | 'cancelled' }
  | { does: 'cancel'; action: number }
  | { does: 'resumeUser' | 'pauseUser'; user: number };

export type OperationThat<Does extends Operation['does']> = Extract<Operation, { does: Does }>;

/** One of them, whatever the number; nothing only of nothing. */
export function pick<Item>(items: readonly Item[], index: number): Item | undefined {
  return items[index % Math.max(1, items.length)];
}
