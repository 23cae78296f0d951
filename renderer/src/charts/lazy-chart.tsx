import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

/** A chart whose script is loaded when it is shown first. If that fails, the summary and the table of the chart still work. */
export function lazyChart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(() =>
    load().then(
      (chart) => ({ default: chart }),
      () => ({ default: ChartMissing }),
    ),
  );
}

function ChartMissing() {
  return <p className="hint">The chart could not be loaded. Its values are in the table.</p>;
}
