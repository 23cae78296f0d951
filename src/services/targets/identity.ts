import type { ResolvedApp } from '../../contract/screen.ts';
import type { Target } from '../../contract/targets.ts';
import { canonicalJson } from '../../domain/canonical-json.ts';

/** For the digest of an action: its targets, and the contents that decided about its risk. Nothing for an action without targets. */
export function canonicalTargets(
  targets: readonly Target[],
  { contentsDigest }: { contentsDigest?: string | undefined },
): string | undefined {
  if (targets.length === 0) return undefined;
  const contents = contentsDigest === undefined ? [] : [{ contents: contentsDigest }];
  return canonicalJson([...targets.map(identityOf), ...contents]);
}

/** A target as it is kept with its action. The contents of a file decided about the risk; their digest is enough to compare them. */
export function withoutContents(target: Target): Target {
  if (target.kind !== 'path') return target;
  const { inside: _inside, ...file } = target.file;
  return { ...target, file };
}

/** The facts that an approval is bound to: with others it is another target. */
function identityOf(target: Target): Record<string, unknown> {
  switch (target.kind) {
    case 'app':
      return { kind: target.kind, name: target.name, ...namesOf(target.app) };
    case 'opener':
      return { kind: target.kind, scheme: target.scheme, app: target.app === undefined ? null : namesOf(target.app) };
    case 'window':
      return { kind: target.kind, window: target.window };
    case 'path':
      return { kind: target.kind, realPath: target.file.realPath };
    case 'element':
    case 'point':
    case 'focus':
      return { kind: target.kind, control: target.control };
  }
}

function namesOf({ appName, bundleId, alsoKnownAs }: ResolvedApp) {
  return { appName, bundleId: bundleId ?? null, alsoKnownAs };
}
