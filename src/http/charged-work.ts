import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import type { Turn } from '../services/work/sliced-work.ts';
import type { Leave, SlowLane } from '../services/work/slow-lane.ts';
import type { App } from './app.ts';
import type { TimeBudget } from './time-budget.ts';
import { workClockMs } from './work-clock.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whose work this call is; empty where it counts for nobody. */
    chargedTo: string;
    /** Since when the thread works on this call, on its `workClockMs`; 0 while it does not. */
    workedSinceMs: number;
    /** Gives the place in the slow lane to the next call; undefined where this call has none. */
    leaveLane: Leave | undefined;
    /** Whether this call waits for its next slice. */
    isPaused: boolean;
    /** Waits for this call's turn in the slow lane. The turn lasts until `endTurn`. */
    enterLane(): Promise<void>;
    /** Charges the requester for the work since it was last charged, and goes on counting. */
    chargeWork(): void;
  }
}

type Parts = { budget: TimeBudget | undefined; lane: SlowLane };

/** Lets every call take turns with others, and be charged for its work. */
export function addTurns(app: App, { budget, lane }: Parts): void {
  app.decorateRequest('chargedTo', '');
  app.decorateRequest('workedSinceMs', 0);
  app.decorateRequest('leaveLane', undefined);
  app.decorateRequest('isPaused', false);
  app.decorateRequest('enterLane', async function (this: FastifyRequest) {
    this.leaveLane = await lane.turn();
    this.workedSinceMs = workClockMs();
  });
  app.decorateRequest('chargeWork', function (this: FastifyRequest) {
    if (this.workedSinceMs === 0) return;
    const nowMs = workClockMs();
    if (this.chargedTo !== '') budget?.charge(this.chargedTo, Math.max(0, nowMs - this.workedSinceMs));
    this.workedSinceMs = nowMs;
  });
}

/** How a call with much work shares the thread: after its first slice in the slow lane, and the person's calls beside it. */
export function turnOf(request: FastifyRequest): Turn {
  return {
    async pause() {
      suspend(request);
      request.isPaused = true;
      if (request.chargedTo === '' || request.leaveLane !== undefined) await nextTurn();
      else await request.enterLane();
      request.isPaused = false;
      request.workedSinceMs = workClockMs();
    },
    end: () => endTurn(request),
  };
}

/** Charges for the work so far and gives up the place in the lane: this call waits, or has been answered. */
export function endTurn(request: FastifyRequest): void {
  suspend(request);
  request.leaveLane?.();
  request.leaveLane = undefined;
}

/** Does the next part of a call in its turn. The turn lasts beyond that part only where the call has paused in it. */
export async function inTurn(request: FastifyRequest, part: () => void): Promise<void> {
  await request.enterLane();
  part();
  if (!request.isPaused) endTurn(request);
}

function suspend(request: FastifyRequest): void {
  request.chargeWork();
  request.workedSinceMs = 0;
}
