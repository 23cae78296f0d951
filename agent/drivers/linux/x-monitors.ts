import type { CrtcInfo, Geometry, OutputInfo, Randr, Rectangle, ScreenResources, Xinerama } from 'x11';
import type { Ask } from './x-line.ts';

/**
 * The root window, in pixels and bits a pixel, and its monitors. `monitors` has at least one, the primary one first; a name
 * is `null` when it has none.
 */
export type XLayout = {
  width: number;
  height: number;
  depth: number;
  monitors: { name: string | null; bounds: Rectangle }[];
};

/**
 * Reads where the monitors are, by Xinerama, which also knows monitors that are parts of an output or span several. The
 * names of outputs come from RandR, and are asked for again only when the monitors have changed.
 */
export function createMonitorReader(ask: Ask, root: number): () => Promise<XLayout> {
  const xinerama = once(() => ask<Xinerama>((client, reply) => client.require('xinerama', reply)));
  const randr = once(() => ask<Randr>((client, reply) => client.require('randr', reply)));
  let named: { key: string; names: Map<string, string> } = { key: '', names: new Map() };

  async function namesFor(key: string): Promise<Map<string, string>> {
    if (named.key !== key) named = { key, names: await outputNames({ ask, root, randr: await randr() }) };
    return named.names;
  }

  return async () => {
    const extension = await xinerama();
    const [geometry, screens] = await Promise.all([
      ask<Geometry>((client, reply) => client.GetGeometry(root, reply)),
      extension === null ? null : ask<Rectangle[]>((_client, reply) => extension.QueryScreens(reply)),
    ]);
    const { width, height, depth } = geometry ?? { width: 0, height: 0, depth: 0 };
    const areas = screens === null || screens.length === 0 ? [{ x: 0, y: 0, width, height }] : screens;
    const different = new Map(areas.map((area) => [keyOf(area), area]));
    const names = await namesFor([...different.keys()].join());
    const monitors = [...different].map(([key, bounds]) => ({ name: names.get(key) ?? null, bounds }));
    return { width, height, depth, monitors };
  };
}

function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** `randr` is `null` when the server does not have that extension. */
type Outputs = { ask: Ask; root: number; randr: Randr | null };

/** The names of the outputs that show something, by the area they show. */
async function outputNames({ ask, root, randr }: Outputs): Promise<Map<string, string>> {
  if (randr === null) return new Map();
  const resources = await ask<ScreenResources>((_client, reply) => randr.GetScreenResourcesCurrent(root, reply));
  const named = await Promise.all(
    (resources?.crtcs ?? []).map(async (id) => {
      const crtc = await ask<CrtcInfo>((_client, reply) => randr.GetCrtcInfo(id, 0, reply));
      const output = crtc?.output[0];
      if (crtc === null || output === undefined) return null;
      const info = await ask<OutputInfo>((_client, reply) => randr.GetOutputInfo(output, 0, reply));
      return info === null ? null : ([keyOf(crtc), info.name] as const);
    }),
  );
  return new Map(named.filter((entry) => entry !== null));
}

function keyOf({ x, y, width, height }: Rectangle): string {
  return `${width}x${height}+${x}+${y}`;
}
