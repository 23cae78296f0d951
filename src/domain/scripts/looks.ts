import type { Notebook } from './finding.ts';
import { lastingEffectAt, secretNamed } from './places.ts';

/** Looks at the paths that a script names. It takes the work off the budget; after the budget is used up, no look finds anything. */
export type Looks = {
  secret(path: string): string | undefined;
  lastingEffect(path: string): string | undefined;
};

export function createLooks({ spend }: Pick<Notebook, 'spend'>): Looks {
  return {
    secret: (path) => (spend(path.length) ? secretNamed(path) : undefined),
    lastingEffect: (path) => (spend(path.length) ? lastingEffectAt(path) : undefined),
  };
}
