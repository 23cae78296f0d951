import { createRequire } from 'node:module';
import { shortened } from './short.ts';
import { median, timed } from './statistics.ts';

/**
 * The two libraries without Handrail, on the display of the environment: prints the medians in milliseconds as JSON. In a process of
 * its own, since the X server's end ends a process that libnut has connected to it.
 */
export type LibrariesAlone = { rawMs: number; portablePngMs: number; portableJpegMs: number };

const require = createRequire(import.meta.url);
const { screen } = require('@nut-tree-fork/nut-js') as typeof import('@nut-tree-fork/nut-js');
const screenshot = require('screenshot-desktop') as (options: { format: string }) => Promise<Buffer>;

const alone: LibrariesAlone = {
  rawMs: median(await timed({ calls: shortened(15), warmUp: shortened(3) }, () => screen.grab())),
  portablePngMs: median(await timed({ calls: shortened(3), warmUp: 0 }, () => screenshot({ format: 'png' }))),
  portableJpegMs: median(await timed({ calls: shortened(5), warmUp: 1 }, () => screenshot({ format: 'jpg' }))),
};
console.log(JSON.stringify(alone));
