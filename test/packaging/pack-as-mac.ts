import childProcess from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import { join } from 'node:path';
import { packApp } from '../../src/packaging/pack.ts';

/**
 * node pack-as-mac.ts <unpacked Electron> <output> <folder of programs> [--unsigned]
 *
 * Packs what `npm run package` has prepared, as on a Mac: this process says that it is one, and `security`, which electron-builder
 * starts by its path, is taken from the folder of programs.
 */

const [electronDist = '', output = '', programs = '', signing] = process.argv.slice(2);
const { execFile } = childProcess;
childProcess.execFile = new Proxy(execFile, {
  apply: (start, self, [file, ...rest]) =>
    Reflect.apply(start, self, [file === '/usr/bin/security' ? join(programs, 'security') : file, ...rest]),
});
os.release = () => '24.6.0';
Object.defineProperty(process, 'platform', { value: 'darwin' });
syncBuiltinESMExports();
const isUnsigned = signing === '--unsigned';
await packApp({ architectures: ['arm64'], formats: ['dir'], isUnsigned, settings: { electronDist }, output });
