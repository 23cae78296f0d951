import type {
  LostTarget,
  ResolvedTargets,
  ResolveTargetsParameters,
  Target,
  TargetReference,
} from '../../src/contract/targets.ts';
import type { Driver } from '../drivers/driver.ts';
import type { SightReference } from '../drivers/input.ts';
import type { Attempt, Failed, Outcome } from '../drivers/outcome.ts';
import { lookInto } from '../files/look-into.ts';
import { type Home, personsHome, resolvePath } from '../files/resolve-paths.ts';
import { controlSeen } from './control.ts';
import { sightBy } from './element-ids.ts';
import { changeSince, type Frames, WINDOW_GONE } from './frame-memory.ts';
import { windowWithPage } from './own-pages.ts';

type Sources = { attempt: Attempt; driver: () => Promise<Driver>; frames: Frames; home?: Home };

/** Says what each reference leads to now, in the order of the references. Nothing is done. */
export async function resolveTargets(
  { references }: ResolveTargetsParameters,
  sources: Sources,
): Promise<Outcome<ResolvedTargets>> {
  const targets: ResolvedTargets['targets'] = [];
  // One after another: contents are large, and a desktop answers one question at a time.
  for (const reference of references) targets.push(await resolve(reference, sources));
  const details = `Looked up ${references.length} ${references.length === 1 ? 'target' : 'targets'}.`;
  return { ok: true, details, effect: 'none', data: { targets } };
}

async function resolve(reference: TargetReference, sources: Sources): Promise<Target | LostTarget> {
  const { attempt, driver, home = personsHome() } = sources;
  switch (reference.kind) {
    case 'app': {
      const found = await (await driver()).resolveApp({ appName: reference.name }, attempt);
      return found.ok ? { ...reference, app: found.data } : lost(reference, found);
    }
    case 'window': {
      const { kind: _kind, ...wish } = reference;
      const found = await windowWithPage(await driver(), wish, attempt);
      return found.ok ? { ...reference, window: found.data } : lost(reference, found);
    }
    case 'point':
      return resolvePoint(reference, sources);
    case 'element':
    case 'focus': {
      const found = await sight(reference, sources);
      return found.ok ? { ...reference, control: await controlSeen(found.data, home) } : lost(reference, found);
    }
    case 'opener': {
      const app = await (await driver()).input().opener(reference, attempt);
      return { ...reference, ...(app !== null && { app }) };
    }
    case 'path': {
      const found = await resolvePath(reference.path, home);
      if ('ok' in found) return lost(reference, found);
      return { ...reference, file: reference.into === true ? { ...found, ...(await lookInto(found)) } : found };
    }
  }
}

/** A point of a picture is used only while what the picture shows is still there. */
async function resolvePoint(
  reference: Extract<TargetReference, { kind: 'point' }>,
  sources: Sources,
): Promise<Target | LostTarget> {
  const { frameId, x, y } = reference;
  const placed = frameId === undefined ? { seen: undefined, at: { x, y } } : sources.frames.place(frameId, { x, y });
  if ('ok' in placed) return lost(reference, placed);
  const { seen, at } = placed;
  const found = await sight({ kind: 'point', point: at }, sources);
  if (!found.ok) return lost(reference, seen !== undefined && found.code === 'target_gone' ? WINDOW_GONE : found);
  const change = seen === undefined ? null : changeSince(seen, at, found.data);
  if (change !== null) return lost(reference, change);
  return { ...reference, control: await controlSeen(found.data, sources.home), at };
}

async function sight(reference: SightReference, { attempt, driver }: Sources) {
  return sightBy((await driver()).input(), reference, attempt);
}

function lost(reference: TargetReference, { code, message, fix }: Failed): LostTarget {
  return { kind: 'lost', reference, code, message, fix };
}
