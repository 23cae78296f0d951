import type {
  LostTarget,
  ResolvedTargets,
  ResolveTargetsParameters,
  Target,
  TargetReference,
} from '../../src/contract/targets.ts';
import type { Attempt, Driver, Failed, Outcome } from '../drivers/driver.ts';
import { lookInto } from '../files/look-into.ts';
import { type Home, personsHome, resolvePath } from '../files/resolve-paths.ts';

type Sources = { attempt: Attempt; driver: () => Promise<Driver>; home?: Home };

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
      const found = await (await driver()).resolveWindow({ windowId: reference.windowId }, attempt);
      return found.ok ? { ...reference, window: found.data } : lost(reference, found);
    }
    case 'element':
    case 'point':
    case 'focus':
      return lost(reference, NO_HANDS);
    case 'path': {
      const found = await resolvePath(reference.path, home);
      if ('ok' in found) return lost(reference, found);
      return { ...reference, file: reference.into === true ? { ...found, ...(await lookInto(found)) } : found };
    }
  }
}

const NO_HANDS: Failed = {
  ok: false,
  code: 'not_supported',
  message: 'This desktop has no hands yet.',
  sideEffect: 'none',
};

function lost(reference: TargetReference, { code, message, fix }: Failed): LostTarget {
  return { kind: 'lost', reference, code, message, ...(fix === undefined ? {} : { fix }) };
}
