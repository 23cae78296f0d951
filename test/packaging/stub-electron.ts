import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'plist';

/** By this electron and its tools find the fuses in the binary. */
const SENTINEL = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';

/** The fuses before packing. The seven that Handrail sets have the opposite value here; the seventh and ninth stay as they are. */
const FUSES_AS_SHIPPED = '111100011';

const HELPERS = ['', ' (GPU)', ' (Plugin)', ' (Renderer)'];

/**
 * Writes a folder that looks like an unpacked Electron for macOS, with the names, property lists and fuses of the real one and
 * nothing that runs. There is no `default_app.asar`: electron-builder would hash it like our own archive.
 */
export function writeStubElectron(folder: string): void {
  const contents = join(folder, 'Electron.app/Contents');
  write(join(contents, 'Info.plist'), build(mainInfo()));
  write(join(contents, 'PkgInfo'), 'APPL????');
  write(join(contents, 'MacOS/Electron'), 'stub');
  write(join(contents, 'Resources/electron.icns'), 'stub');
  mkdirSync(join(contents, 'Resources/en.lproj'));
  writeFramework(join(contents, 'Frameworks/Electron Framework.framework'));
  for (const kind of HELPERS) writeHelper(join(contents, 'Frameworks'), `Electron Helper${kind}`);
  write(join(folder, 'LICENSE'), 'stub');
  write(join(folder, 'LICENSES.chromium.html'), 'stub');
  write(join(folder, 'version'), '45.4.1');
}

function mainInfo() {
  return {
    CFBundleDisplayName: 'Electron',
    CFBundleExecutable: 'Electron',
    CFBundleIconFile: 'electron.icns',
    CFBundleIdentifier: 'com.github.Electron',
    CFBundleName: 'Electron',
    CFBundlePackageType: 'APPL',
    CFBundleVersion: '45.4.1',
    LSMinimumSystemVersion: '13.0',
    NSAppTransportSecurity: { NSAllowsArbitraryLoads: true },
    NSBluetoothAlwaysUsageDescription: 'This app needs access to Bluetooth',
    NSBluetoothPeripheralUsageDescription: 'This app needs access to Bluetooth',
    NSCameraUsageDescription: 'This app needs access to the camera',
    NSMicrophoneUsageDescription: 'This app needs access to the microphone',
    NSHighResolutionCapable: true,
    NSPrincipalClass: 'AtomApplication',
  };
}

function writeHelper(frameworks: string, name: string): void {
  const contents = join(frameworks, `${name}.app/Contents`);
  write(
    join(contents, 'Info.plist'),
    build({ CFBundleExecutable: name, CFBundleIdentifier: 'com.github.Electron.helper' }),
  );
  write(join(contents, 'MacOS', name), 'stub');
}

function writeFramework(folder: string): void {
  const binary = join(folder, 'Versions/A/Electron Framework');
  write(binary, `stub${SENTINEL}\u0001${String.fromCharCode(FUSES_AS_SHIPPED.length)}${FUSES_AS_SHIPPED}stub`);
  write(join(folder, 'Versions/A/Resources/Info.plist'), build({ CFBundleExecutable: 'Electron Framework' }));
  symlinkSync('A', join(folder, 'Versions/Current'));
  for (const name of ['Electron Framework', 'Resources']) symlinkSync(`Versions/Current/${name}`, join(folder, name));
}

function write(file: string, content: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content, 'latin1');
}
