import { existsSync } from 'node:fs';
import { readSettings } from './settings.ts';
import { askForSignInCode, signInSocketPath } from './sign-in-socket.ts';

/** `npm run login`: prints a fresh sign-in code of a daemon that has no terminal. Exit code 1 when there is none. */
const { dataDirectory } = readSettings(process.env, process.platform);
const NOBODY = `no Handrail that takes this command uses ${dataDirectory}. In a terminal, press Enter where Handrail runs for a fresh code. Otherwise start it with npm start, or set HANDRAIL_DATA_DIR to the folder it uses.`;
try {
  process.stdout.write(`${await freshCode()}\n`);
} catch (error) {
  process.stderr.write(`handrail: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

async function freshCode(): Promise<string> {
  if (!existsSync(dataDirectory)) throw new Error(NOBODY);
  const path = signInSocketPath(dataDirectory);
  if (!existsSync(path)) throw new Error(NOBODY);
  try {
    return await askForSignInCode(path);
  } catch (error) {
    const isLeftover = error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED';
    throw isLeftover ? new Error(NOBODY, { cause: error }) : error;
  }
}
