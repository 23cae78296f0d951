type Node = { id: string; dependsOn: readonly string[] };

/**
 * Steps by their depth in the graph: the first layer depends on nothing, and each step stands one layer below the deepest step
 * it depends on. Dependencies that are not among the steps are ignored.
 */
export function layersOf<Step extends Node>(steps: readonly Step[]): Step[][] {
  const byId = new Map(steps.map((step) => [step.id, step]));
  const depths = new Map<string, number>();
  const depthOf = (step: Step): number => {
    const known = depths.get(step.id);
    if (known !== undefined) return known;
    const above = step.dependsOn.flatMap((id) => byId.get(id) ?? []);
    const depth = above.length === 0 ? 0 : 1 + Math.max(...above.map(depthOf));
    depths.set(step.id, depth);
    return depth;
  };
  const layers: Step[][] = [];
  for (const step of steps) {
    const depth = depthOf(step);
    const layer = layers[depth] ?? [];
    layers[depth] = layer;
    layer.push(step);
  }
  return Array.from(layers, (layer) => layer ?? []);
}
