import { parseArgs } from 'node:util';
import type { Configuration } from 'electron-builder';
import type { MacArch } from './pack.ts';
import { refusalToPack } from './signing.ts';

/** `npm run package`: packs the Mac app. */

const HELP = `npm run package -- [options]

  makes Handrail.app as a disk image and as a zip file in dist/packed, for arm64 and x64. It is signed by the certificate in
  your keychain or in CSC_LINK, and without one the command fails

  --unsigned        for your own Mac: signed by nobody, and without the hardened runtime, which an unsigned app cannot start with
  --arch <name>     only for arm64, or only for x64
  --dir             the app alone, without disk image and zip file; with --unsigned this can be done on Linux, too, where the app
                    gets no signature at all
  --inspectable     for tests only: Playwright can look into the app, and so can every other program of yours
  --electron <dir>  an unpacked Electron to use; otherwise electron-builder fetches one
`;

const NO_CERTIFICATE = 'Without a certificate, `--unsigned` packs it for your own Mac.\n';
const NO_ELECTRON =
  'Where Electron could not be fetched, `--electron <dir>` names an unpacked one, and ELECTRON_MIRROR another address.\n';

const WITHOUT_SIGNATURE = `The app is in dist/packed, without a signature. On a Mac it starts only after
\`codesign --force --deep --sign - Handrail.app\`.
`;

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
  const { platform } = process;
  const refusal = refusalToPack({ platform, isUnsigned: asked.unsigned, isAppAlone: asked.dir });
  if (refusal !== undefined) return refuse(refusal);
  const architectures = asked.arch === undefined ? (['arm64', 'x64'] as const) : [asked.arch];
  // Loaded only when the arguments are good: electron-builder takes seconds to load.
  const { packApp, prepareApp } = await import('./pack.ts');
  await prepareApp(architectures);
  const settings = {
    ...(asked.inspectable && INSPECTABLE),
    ...(asked.electron !== undefined && { electronDist: asked.electron }),
  };
  const formats = asked.dir ? (['dir'] as const) : (['dmg', 'zip'] as const);
  try {
    await packApp({ architectures, formats, isUnsigned: asked.unsigned, settings });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    process.stderr.write(`handrail: the app was not packed: ${why}\n${asked.unsigned ? NO_ELECTRON : NO_CERTIFICATE}`);
    return 1;
  }
  process.stdout.write(platform === 'darwin' ? 'The app is in dist/packed.\n' : WITHOUT_SIGNATURE);
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
