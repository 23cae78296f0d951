import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { electronBinary } from '../launch/electron-binary.cjs';
import { openOnMac } from './open-on-mac.ts';
import { APP_FOLDER, ROOT } from './places.ts';

/** `npm run desktop`: bundles the app and starts it on the Electron that was fetched. Arguments go to the app. */

const NO_BINARY = `Electron's binary is not here: npm installs it without, since no package may run a script.
\`npm run get-electron\` fetches it, about 120 MB from GitHub, and checks it against the hashes of the electron package.
Without it \`npm start\` runs Handrail in this terminal.`;

process.exitCode = await main(process.argv.slice(2));

async function main(words: readonly string[]): Promise<number> {
  const binary = electronBinary({ root: ROOT, platform: process.platform, environment: process.env });
  if (binary === undefined) {
    process.stderr.write(`handrail: ${NO_BINARY}\n`);
    return 1;
  }
  // Loaded only now: without the binary there is nothing to bundle for.
  const { bundleApp } = await import('./bundle-app.ts');
  await bundleApp();
  const { ELECTRON_RUN_AS_NODE: _, ...environment } = process.env;
  const args = [APP_FOLDER, ...words];
  if (process.platform === 'darwin') return openOnMac({ binary, args, environment, signals: process });
  const child = spawn(binary, args, { stdio: 'inherit', env: environment });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void child.kill(signal));
  const [code] = await once(child, 'exit');
  return code ?? 1;
}
