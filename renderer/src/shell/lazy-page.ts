import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
import { PageMissing } from './PageMissing.tsx';

/**
 * A page whose script is loaded when it is opened first. If the script cannot be loaded, for example because Handrail was
 * updated since the dashboard was opened, the page says what to do.
 */
export function lazyPage<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(() =>
    load().then(
      (page) => ({ default: page }),
      () => ({ default: PageMissing }),
    ),
  );
}
