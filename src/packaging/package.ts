import { parseArgs } from 'node:util';
import type { Configuration } from 'electron-builder';
import type { MacArch } from './pack.ts';

/** `npm run package`: packs the Mac app. */

const HELP = `npm run package -- [options]

  makes Handrail.app as a disk image and as a zip file in dist/packed, for arm64 and x64

  --unsigned        for your own Mac: signed by nobody, and without the hardened runtime, which an unsigned app cannot start with
  --arch <name>     only for arm64, or only for x64
  --dir             the app alone, without disk image and zip file; this can be done on Linux, too
  --inspectable     for tests only: Playwright can look into the app, and so can every other program of yours
  --electron <dir>  an unpacked Electron to use; otherwise electron-builder fetches one
`;

/** macOS starts no app on Apple silicon that has no signature at all, so it gets one that names nobody. */
const UNSIGNED: Configuration = { mac: { identity: '-', hardenedRuntime: false, notarize: false } };

/** Playwright speaks to the main process by Node's inspector, which the shipped app refuses. */
const INSPECTABLE: Configuration = { electronFuses: { enableNodeCliInspectArguments: true } };

process.exitCode = await main();

async function main(): Promise<number> {
  const asked = readArguments();
  if (typeof asked === 'string') return refuse(`${asked}\n\n${HELP}`);
  if (asked.help) {
    process.stdout.write(HELP);
    return 0;
  }
  if (process.platform !== 'darwin' && !asked.dir)
    return refuse('A disk image needs a Mac. With --dir the app alone is packed.');
  const architectures = asked.arch === undefined ? (['arm64', 'x64'] as const) : [asked.arch];
  // Loaded only when the arguments are good: electron-builder takes seconds to load.
  const { packApp, prepareApp } = await import('./pack.ts');
  await prepareApp(architectures);
  const settings = {
    ...(asked.unsigned && UNSIGNED),
    ...(asked.inspectable && INSPECTABLE),
    ...(asked.electron !== undefined && { electronDist: asked.electron }),
  };
  await packApp({ architectures, formats: asked.dir ? ['dir'] : ['dmg', 'zip'], settings });
  process.stdout.write('The app is in dist/packed.\n');
  return 0;
}

type Asked = {
  help: boolean;
  unsigned: boolean;
  inspectable: boolean;
  dir: boolean;
  arch?: MacArch;
  electron?: string;
};

/** The parsed arguments, or a sentence about the fault in them. */
function readArguments(): Asked | string {
  try {
    const { values } = parseArgs({
      options: {
        help: { type: 'boolean', short: 'h', default: false },
        unsigned: { type: 'boolean', default: false },
        inspectable: { type: 'boolean', default: false },
        dir: { type: 'boolean', default: false },
        arch: { type: 'string' },
        electron: { type: 'string' },
      },
    });
    const { arch, ...others } = values;
    if (arch === undefined) return others;
    return arch === 'arm64' || arch === 'x64' ? { ...others, arch } : `There is no architecture ${arch}.`;
  } catch (error) {
    if (error instanceof TypeError) return error.message;
    throw error;
  }
}

function refuse(problem: string): number {
  process.stderr.write(`handrail: ${problem}\n`);
  return 1;
}
