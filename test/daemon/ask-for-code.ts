import { askForSignInCode } from '../../src/sign-in-socket.ts';

/** Asks the socket of the first argument for a sign-in code, and prints the answer. */
const said = await askForSignInCode(String(process.argv[2])).catch((error: Error) => error.message);
process.stdout.write(`${said}\n`);
