import { join } from 'node:path';
import { Arch, build, type Configuration, Platform } from 'electron-builder';
import { bundleApp } from './bundle-app.ts';
import { writeAppIcon } from './icons.ts';
import { copyPackages } from './packages.ts';
import { ICON_FILE, packagesFolder, ROOT } from './places.ts';

export type MacArch = 'arm64' | 'x64';

type Packing = {
  architectures: readonly MacArch[];
  /** `dir` is the app alone, which can be packed on Linux too; the others need a Mac. */
  formats: readonly ('dir' | 'dmg' | 'zip')[];
  /** Laid over `electron-builder.yml`. */
  settings?: Configuration;
};

/** Makes what belongs into the app: the bundle, the icon, and the packages for each architecture. */
export async function prepareApp(architectures: readonly MacArch[]): Promise<void> {
  await bundleApp();
  await writeAppIcon(ICON_FILE);
  for (const arch of architectures) {
    const target = { platform: 'darwin', arch } as const;
    await copyPackages(target, packagesFolder(target));
  }
}

/** Packs what `prepareApp` made. Rejects with electron-builder's error. */
export async function packApp({ architectures, formats, settings = {} }: Packing): Promise<void> {
  // Otherwise electron-builder asks the registry, now and then, whether there is a newer one.
  process.env.NO_UPDATE_NOTIFIER = '1';
  await build({
    projectDir: ROOT,
    targets: Platform.MAC.createTarget([...formats], ...architectures.map((arch) => Arch[arch])),
    config: { extends: join(ROOT, 'electron-builder.yml'), ...settings },
    publish: 'never',
  });
}
