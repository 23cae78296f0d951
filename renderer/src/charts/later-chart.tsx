import type { ComponentType } from 'react';
import { type LaterScript, laterScript } from '../Later.tsx';

/** A chart whose script is loaded when it is shown first. If that fails, the summary and the table of the chart still work. */
export function laterChart<Props>(load: () => Promise<ComponentType<Props>>): LaterScript<Props> {
  return laterScript({ load, missing: ChartMissing });
}

function ChartMissing() {
  return <p className="hint">The chart could not be loaded. Its values are in the table.</p>;
}
