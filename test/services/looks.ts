import type { ResolvedPath } from '../../src/contract/files.ts';
import { type PerformParams, RESOLVE_TARGETS } from '../../src/contract/link.ts';
import type { Control, ResolvedApp, ResolvedWindow } from '../../src/contract/screen.ts';
import type { LostTarget, ResolveTargetsParameters, Target, TargetReference } from '../../src/contract/targets.ts';
import type { AttemptOutcome } from '../../src/services/agent/port.ts';
import { done, type Rig } from './rig.ts';

/** The app that opens addresses, or none. */
type FoundOpener = { opener: ResolvedApp | undefined };
type Found = FoundOpener | ResolvedPath | ResolvedWindow | Control | AttemptOutcome;

/** The looks at targets that the agent was asked for and that the test answers. */
export function looksOf({ agent }: Pick<Rig, 'agent'>): PerformParams[] {
  return agent.sent.filter(({ actionType }) => actionType === RESOLVE_TARGETS);
}

/** Answers the latest look: with windows, paths or failures in the order in which it names them. Apps are found as the rig has them. */
export async function answerLook(rig: Pick<Rig, 'agent'>, ...found: readonly Found[]): Promise<void> {
  const look = looksOf(rig).at(-1);
  if (look === undefined) throw new Error('the agent was not asked to look at anything');
  await rig.agent.answer(lookedAt(look, rig.agent.apps, found), look);
}

/** The answer to a look. */
export function lookedAt(
  { parameters }: Pick<PerformParams, 'parameters'>,
  apps: ReadonlyMap<string, AttemptOutcome>,
  found: readonly Found[] = [],
): AttemptOutcome {
  const left = [...found];
  const { references } = parameters as ResolveTargetsParameters;
  return done({
    data: {
      targets: references.map((reference) =>
        reference.kind === 'app' ? appFound(reference, apps) : targetOf(reference, left.shift()),
      ),
    },
  });
}

function appFound(reference: Extract<TargetReference, { kind: 'app' }>, apps: ReadonlyMap<string, AttemptOutcome>) {
  const outcome = apps.get(reference.name);
  if (outcome?.ok === false) return lost(reference, outcome);
  const known = { appName: reference.name, alsoKnownAs: [], risks: [] };
  return { ...reference, app: { ...known, ...(outcome?.data as Partial<ResolvedApp> | undefined) } };
}

function targetOf(reference: TargetReference, found: Found | undefined): Target | LostTarget {
  if (found === undefined) throw new Error(`the test has no answer for ${JSON.stringify(reference)}`);
  if ('ok' in found) {
    if (found.ok) throw new Error('a target is found or lost, and no outcome of an action');
    return lost(reference, found);
  }
  if (reference.kind === 'window' && 'title' in found) return { ...reference, window: found };
  if ('role' in found) {
    if (reference.kind === 'point') return { ...reference, control: found, at: { x: reference.x, y: reference.y } };
    if (reference.kind === 'element' || reference.kind === 'focus') return { ...reference, control: found };
  }
  if (reference.kind === 'path' && 'realPath' in found) return { ...reference, file: found };
  return openerOf(reference, found);
}

function openerOf(reference: TargetReference, found: Found): Target {
  if (reference.kind !== 'opener' || !('opener' in found))
    throw new Error(`the test has another answer for ${JSON.stringify(reference)}`);
  return { ...reference, app: found.opener };
}

function lost(reference: TargetReference, { code, message, fix }: Extract<AttemptOutcome, { ok: false }>): LostTarget {
  return { kind: 'lost', reference, code, message, fix };
}
