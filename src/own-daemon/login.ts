import { askForSignInCode, NoDaemon } from './person-call.ts';
import { readSettings } from './settings.ts';

/** `npm run login`: prints a fresh sign-in code of a daemon that has no terminal. Exit code 1 when there is none. */
const { dataDirectory } = readSettings(process.env, process.platform);
const NOBODY = `no Handrail that takes this command uses ${dataDirectory}. In a terminal, press Enter where Handrail runs for a fresh code. Otherwise start it with npm start, or set HANDRAIL_DATA_DIR to the folder it uses.`;
try {
  process.stdout.write(`${await askForSignInCode(dataDirectory)}\n`);
} catch (error) {
  const why = error instanceof Error && !(error instanceof NoDaemon) ? error.message : NOBODY;
  process.stderr.write(`handrail: ${why}\n`);
  process.exitCode = 1;
}
