import { expect } from 'vitest';
import { type PerformParams, RESOLVE_TARGETS } from '../../src/contract/link.ts';
import { isRefusal } from '../../src/services/refusal.ts';
import { dataDirectoryAt } from '../../src/store/database/data-directory.ts';
import { auditJournal } from '../../src/store/journal/audit.ts';
import { type Asked, createModel, KINDS, type Kind, STEPS } from './rail-model.ts';
import { type Operation, type OperationThat, pick, USERS } from './rail-operations.ts';
import { createPerson } from './rail-person.ts';
import { done, notDone, type Rig, startServices } from './rig.ts';

const LONGEST_EXPIRY_MS = 600_000;
const CAPABILITIES = { canOpenApps: true, canCaptureScreen: true };

/** Plays operations on real services over a data directory, and holds every one of them against the model. */
export function createPlay(path: string) {
  const model = createModel();
  let rig = startServices({ path, endedByCaller: true });
  const person = createPerson(() => rig, model);
  const sendings = createSendings();
  const steps = createStepWatch();
  let waiting: Promise<void>[] = [];
  let refused = 0;
  sendings.watch(rig);

  async function submit({ user, kind: wanted, named }: OperationThat<'submit'>): Promise<void> {
    const userId = pick(USERS, user) ?? 'ann';
    const kind = pick(KINDS, wanted) as Kind;
    const { device } = rig.services.devices.register(userId, {
      type: 'linux',
      name: 'Own',
      capabilities: CAPABILITIES,
    });
    const what: Asked = { userId, deviceId: device.id, kind, named };
    const { actionType, parameters } = kind;
    const body = { targetDeviceId: device.id, actionType, parameters, profile: named };
    const waits = rig.agent.status() === 'starting';
    const answered = rig.submit(body, { userId, waitMs: 0 }).then((answer) => {
      if (isRefusal(answer)) refused += 1;
      else if (answer.kind === 'action') noteSubmitted(what, answer.action);
    });
    if (waits) waiting.push(answered);
    else await answered;
  }

  function noteSubmitted(what: Asked, { actionId, status }: { actionId: string; status: string }): void {
    model.submitted(actionId, what);
    const verdict = model.verdict(what);
    const goes = verdict === 'allow' || model.hasLiveGrant(what, rig.clock.nowMs());
    const asks = goes ? ['running', 'queued'] : ['awaiting_confirmation', 'denied'];
    expect(verdict === 'block' ? ['blocked'] : asks).toContain(status);
  }

  function revoke({ grant: index }: OperationThat<'revoke'>): void {
    const grant = pick(rig.services.console.grants.list(), index);
    if (grant === undefined) return;
    expect(rig.services.console.grants.revoke(grant.id)).toBeUndefined();
    model.revoke(grant.id);
  }

  function assign({ user, profile }: OperationThat<'assign'>): void {
    const userId = pick(['*', ...USERS], user) ?? '*';
    rig.services.console.profiles.assign(userId, profile);
    model.assign(userId, profile);
  }

  function pause(): void {
    model.setPaused(true);
    rig.services.console.pause();
    const told = new Set(rig.agent.cancelled.map(({ key }) => key.actionId));
    const left = rig.store.actions.live().map(({ id, status }) => ({ status, isTold: told.has(id) }));
    expect(left.filter(({ status, isTold }) => status !== 'running' || !isTold)).toEqual([]);
  }

  function resume(): void {
    model.setPaused(false);
    rig.services.console.resume();
  }

  function restart(): void {
    rig = rig.crashAndRestart();
    sendings.watch(rig);
    model.restarted();
    // Whoever waited for an answer of the run before gets none.
    waiting = [];
  }

  function loseAgent(): void {
    rig.agent.listener.lost();
    rig.agent.become('starting');
  }

  async function answer({ attempt, how }: OperationThat<'answer'>): Promise<void> {
    const params = pick(rig.agent.sent, attempt);
    if (params !== undefined)
      await rig.agent.answer(how === 'done' ? done() : notDone({ cancelled: how !== 'failed' }), params);
  }

  function cancel({ action }: OperationThat<'cancel'>): void {
    const [actionId, what] = pick([...model.asked], action) ?? [];
    if (actionId !== undefined && what !== undefined) rig.services.actions.cancel(what.userId, actionId);
  }

  const perform = (operation: Operation): unknown => {
    const { console } = rig.services;
    switch (operation.does) {
      case 'submit':
        return submit(operation);
      case 'show':
        return person.show(operation);
      case 'hold':
        return person.hold(operation);
      case 'decide':
        return person.decide(operation);
      case 'decideAgain':
        return person.decideAgain(operation);
      case 'consent':
        return person.consent(operation);
      case 'wait':
        return rig.clock.advance(operation.ms);
      case 'sleep':
        return rig.clock.setWallClock(rig.clock.nowMs() + operation.ms);
      case 'revoke':
        return revoke(operation);
      case 'assign':
        return assign(operation);
      case 'agent':
        return rig.agent.become(operation.becomes);
      case 'answer':
        return answer(operation);
      case 'cancel':
        return cancel(operation);
      case 'resumeUser':
        return console.requesters.resume(pick(USERS, operation.user) ?? 'ann');
      case 'pauseUser':
        return console.requesters.pause(pick(USERS, operation.user) ?? 'ann');
      default:
        return { pause, resume, loseAgent, restart }[operation.does]();
    }
  };

  async function settle(): Promise<void> {
    await new Promise(setImmediate);
    for (const { actionId, attempt, atMs, parameters } of sendings.take()) {
      const objection = model.objectionToSending(actionId, { attempt, atMs });
      expect({ actionId, objection }).toEqual({ actionId, objection: undefined });
      expect(parameters).toEqual(model.asked.get(actionId)?.kind.parameters);
    }
    expect(steps.wrongSteps(rig)).toEqual([]);
    person.look();
  }

  return {
    counts: () => ({ sent: sendings.count(), allowed: person.allowed(), refused }),
    async play(operation: Operation): Promise<void> {
      await perform(operation);
      await settle();
    },
    /** What must hold in the end, whatever was played. */
    async finish(): Promise<void> {
      rig.clock.advance(LONGEST_EXPIRY_MS);
      await settle();
      await Promise.all(waiting);
      expect(person.prompts()).toEqual([]);
      const asking = rig.store.actions.live().filter(({ status }) => status === 'awaiting_confirmation');
      expect(asking).toEqual([]);
      expect(auditJournal(dataDirectoryAt(path))).toMatchObject({ valid: true });
    },
    end: () => rig.end(),
  };
}

type Sending = { actionId: string; attempt: number; atMs: number; parameters: unknown };

/** What each run of the daemon sent, with the time of it. */
function createSendings() {
  const latest: Sending[] = [];
  let count = 0;
  return {
    watch({ agent, clock }: Rig): void {
      const { perform } = agent;
      const note = (params: PerformParams) => {
        latest.push({ ...params, atMs: clock.nowMs() });
        count += 1;
      };
      // A start sends what an earlier run left behind before anybody can watch.
      agent.sent.forEach(note);
      agent.perform = (params) => {
        if (params.actionType !== RESOLVE_TARGETS) note(params);
        perform(params);
      };
    },
    take: (): Sending[] => latest.splice(0),
    count: () => count,
  };
}

/** Follows every action through the journal, and says which steps no state allows. */
function createStepWatch() {
  const states = new Map<string, string>();
  let readTo = 0;
  return {
    wrongSteps({ store }: Rig): string[] {
      const wrong: string[] = [];
      for (const { seq, actionId, metadata } of store.journal.readAfter(readTo, 100_000)) {
        readTo = seq;
        const status = metadata?.status;
        if (actionId === undefined || typeof status !== 'string') continue;
        const from = states.get(actionId) ?? 'start';
        if (!STEPS[from]?.includes(status)) wrong.push(`${actionId}: ${from} to ${status}`);
        states.set(actionId, status);
      }
      return wrong;
    },
  };
}
