import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { ROOT } from './places.ts';

/** `npm run get-electron`: fetches the binary of Electron by the program of its package, and names the address that it could not reach. */

const MIRRORS = ['npm_config_electron_mirror', 'npm_package_config_electron_mirror', 'ELECTRON_MIRROR'];

process.exitCode = await main(process.env);

async function main(environment: NodeJS.ProcessEnv): Promise<number> {
  const child = spawn(process.execPath, [join(ROOT, 'node_modules/electron/install.js')], {
    stdio: ['ignore', 'inherit', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString('utf8');
  });
  const [code] = await once(child, 'close');
  if (code === 0) return 0;
  const mirror = MIRRORS.map((name) => environment[name]).find((address) => address);
  const address = mirror ?? 'https://github.com/electron/electron/releases/download/';
  // The last line of a stack that has words is the cause; the rest tells nothing to a person.
  const why =
    errors
      .trim()
      .split('\n')
      .find((line) => line !== '' && !/^\s*at /u.test(line)) ?? `it ended with code ${code}`;
  process.stderr.write(`handrail: Electron could not be fetched from ${address} (${why.trim()}). Without a way to that address, name a mirror in ELECTRON_MIRROR, or
put an unpacked Electron into a folder and name it in ELECTRON_OVERRIDE_DIST_PATH. \`npm start\` works without Electron.
`);
  return 1;
}
