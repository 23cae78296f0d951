import type { Driver } from '../../agent/drivers/driver.ts';
import type { Attempt, Failed, Image, Outcome } from '../../agent/drivers/outcome.ts';
import { RESOLVE_TARGETS } from '../../src/contract/link.ts';
import type { ResolvedTargets, Target, TargetReference } from '../../src/contract/targets.ts';
import type { AttemptOutcome } from '../../src/services/agent/port.ts';
import type { Line } from './line.ts';

/** The driver of an agent at the other end of a link, asked as the daemon asks: targets first, then the action. */
export function driverOver(line: Line): Driver {
  const perform = async <Data>(actionType: string, parameters: object, attempt: Attempt): Promise<Outcome<Data>> => {
    const { signal, deadlineMs, targets } = attempt;
    return outcomeOf<Data>(
      await line.perform(actionType, parameters, { deadlineMs, ...(targets && { targets: [...targets] }) }, signal),
    );
  };
  const find = async (reference: TargetReference, attempt: Attempt): Promise<Outcome<Target>> => {
    const found = await perform<ResolvedTargets>(RESOLVE_TARGETS, { references: [reference] }, attempt);
    const target = found.ok ? found.data.targets[0] : undefined;
    if (!found.ok || target === undefined) return found.ok ? BROKEN : found;
    if (target.kind !== 'lost') return { ...found, data: target };
    const { code, message, fix } = target;
    return { ok: false, code, message, fix, sideEffect: 'none' };
  };
  const onApp = async <Data>(actionType: string, parameters: { appName: string }, attempt: Attempt) => {
    // The daemon asks what an app is before there is an attempt of the action.
    const found = await find(
      { kind: 'app', name: parameters.appName },
      { ...attempt, signal: NEVER, deadlineMs: 30_000 },
    );
    return found.ok ? perform<Data>(actionType, parameters, { ...attempt, targets: [found.data] }) : found;
  };
  return {
    platform: 'linux',
    async environment() {
      const { displays, permissions } = line.link.port.agent() ?? {};
      if (displays === undefined || permissions === undefined) throw new Error('no agent is there');
      return { displays, permissions };
    },
    async resolveApp({ appName }, attempt) {
      const found = await find({ kind: 'app', name: appName }, attempt);
      if (!found.ok) return found;
      return found.data.kind === 'app' ? { ...found, data: found.data.app } : BROKEN;
    },
    async resolveWindow({ windowId }, attempt) {
      const found = await find({ kind: 'window', windowId }, attempt);
      if (!found.ok) return found;
      return found.data.kind === 'window' ? { ...found, data: found.data.window } : BROKEN;
    },
    openApp: (parameters, attempt) => onApp('OpenApp', parameters, attempt),
    quitApp: (parameters, attempt) => onApp('QuitApp', parameters, attempt),
    takeScreenshot: (parameters, attempt) => perform('TakeScreenshot', parameters, attempt),
    describeScreen: (parameters, attempt) => perform('DescribeScreen', parameters, attempt),
    input() {
      throw new Error('input has a suite of its own');
    },
    warmUp: async () => undefined,
    close: () => line.close(),
  };
}

const NEVER = new AbortController().signal;
const BROKEN: Failed = {
  ok: false,
  code: 'internal_error',
  message: 'The answer was another one.',
  sideEffect: 'unknown',
};

function outcomeOf<Data>(outcome: AttemptOutcome | 'lost'): Outcome<Data> {
  if (outcome === 'lost') return { ...BROKEN, message: 'The agent was lost.' };
  if (!outcome.ok) {
    const { code, message, fix, sideEffect } = outcome;
    return { ok: false, code, message, fix, sideEffect };
  }
  const { details, effect, data, attachments } = outcome;
  return { ok: true, details, effect, data: data as Data, images: attachments.map(imageOf) };
}

function imageOf({
  announced,
  bytes,
}: {
  announced: { mediaType: string; width: number; height: number };
  bytes: Uint8Array;
}): Image {
  const { mediaType, width, height } = announced;
  return { mediaType: mediaType as Image['mediaType'], width, height, bytes };
}
