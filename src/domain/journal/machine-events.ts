import { amount, flag, nullable, optional, text, texts } from './facts.ts';

/** The daemon, its agent, the devices, the screen and the journal itself. */
export const MACHINE_EVENTS = {
  'daemon.started': { version: text, instanceId: text },
  'daemon.stopped': {},
  /** Nothing was seen since a time: the machine slept. */
  'daemon.slept': { sinceMs: amount },
  /** The computer's clock was set by so much, and then told `wallMs`. The times of the journal go on as before. */
  'daemon.clock_leapt': { byMs: amount, wallMs: amount },
  /** The emergency stop holds from here on. */
  'daemon.paused': {},
  'daemon.resumed': {},
  /**
   * The database was damaged and is built anew. `lost`: the tables of which rows are missing. With `older` it was whole, and it or
   * the named thing beside it was an older one.
   */
  'daemon.database_renewed': { older: optional(text), lost: texts, areRulesKept: flag },
  'agent.online': { platform: text, bootId: text },
  'agent.lost': {},
  /** `ready`: it is there, and the person denied it no permission. `offline`: it is not started again by itself. */
  'agent.readiness': { ready: flag, offline: flag, missing: texts },
  /** The person starts it again. */
  'agent.start_requested': {},
  /** It broke a rule of the link. `detail`: at most 200 characters. */
  'agent.violation': { violation: text, detail: text },
  /** A result of an attempt that the daemon had given up. */
  'agent.result_ignored': { attempt: text },
  'device.registered': { type: text, capabilities: texts },
  'device.removed': { by: optional(text) },
  /** Every device of every user at once. */
  'device.online': {},
  'device.offline': {},
  /** A machine that the person added. */
  'machine.added': { machine: text, address: text },
  'machine.removed': { machine: text },
  /** The person let the requester act there. */
  'machine.opened': { machine: text },
  'machine.online': { machine: text, platform: text, bootId: text },
  'machine.lost': { machine: text },
  'screen.locked': { because: text },
  'screen.unlocked': {},
  /** Found at start by the anchor (`anchoredSeq`), or by a check of all rows (`brokenAt`). */
  'journal.broken': {
    anchoredSeq: optional(amount),
    brokenAt: optional(nullable(amount)),
    reason: nullable(text),
  },
};
