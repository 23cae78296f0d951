import { join } from 'node:path';
import { Arch, build, type Configuration, Platform } from 'electron-builder';
import { bundleApp } from './bundle-app.ts';
import { writeAppIcon } from './icons.ts';
import { copyPackages } from './packages.ts';
import { ICON_FILE, PACKED_FOLDER, packagesFolder, packedApp, ROOT } from './places.ts';
import { signatureFault } from './signing.ts';

export type MacArch = 'arm64' | 'x64';

type Packing = {
  architectures: readonly MacArch[];
  /** `dir` is the app alone, which can be packed on Linux too; the others need a Mac. */
  formats: readonly ('dir' | 'dmg' | 'zip')[];
  /** By a certificate, or by nobody. */
  isUnsigned: boolean;
  /** Laid over `electron-builder.yml`. */
  settings?: Configuration;
  /** The folder for the result. */
  output?: string;
};

/** Otherwise electron-builder leaves the signature out where it finds no certificate, and reports success. */
const SIGNED: Configuration = { forceCodeSigning: true };

/** macOS starts no app on Apple silicon that has no signature at all, so it gets one that names nobody. */
const UNSIGNED: Configuration = { mac: { identity: '-', hardenedRuntime: false, notarize: false } };

/** Makes what belongs into the app: the bundle, the icon, and the packages for each architecture. */
export async function prepareApp(architectures: readonly MacArch[]): Promise<void> {
  await bundleApp();
  await writeAppIcon(ICON_FILE);
  for (const arch of architectures) {
    const target = { platform: 'darwin', arch } as const;
    await copyPackages(target, packagesFolder(target));
  }
}

/**
 * Packs what `prepareApp` made. Rejects with electron-builder's error, and on a Mac also where the app is not signed as it must be.
 */
export async function packApp({ settings = {}, output = PACKED_FOLDER, ...packing }: Packing): Promise<void> {
  const { architectures, formats, isUnsigned } = packing;
  // Otherwise electron-builder asks the registry, now and then, whether there is a newer one.
  process.env.NO_UPDATE_NOTIFIER = '1';
  const directories = { output };
  const signing = isUnsigned ? UNSIGNED : SIGNED;
  await build({
    projectDir: ROOT,
    targets: Platform.MAC.createTarget([...formats], ...architectures.map((arch) => Arch[arch])),
    config: { extends: join(ROOT, 'electron-builder.yml'), directories, ...signing, ...settings },
    publish: 'never',
  });
  if (process.platform !== 'darwin') return;
  for (const arch of architectures) {
    const fault = await signatureFault(packedApp(arch, output), { isUnsigned });
    if (fault !== undefined) throw new Error(`${NOT_SIGNED} ${fault}`);
  }
}

const NOT_SIGNED =
  'The app is not signed as it must be. For a pull request electron-builder signs only with CSC_FOR_PULL_REQUEST=true.';
