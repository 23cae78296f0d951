import { askDaemon, askForSignInCode } from '../../src/own-daemon/sign-in-socket.ts';

/** Asks the socket of the first argument for a sign-in code, or for the verb of the second argument, and prints the answer. */
const [path = '', verb] = process.argv.slice(2);
const asked = verb === 'pause' || verb === 'resume' ? askDaemon(path, verb) : askForSignInCode(path);
const said = await asked.catch((error: Error) => error.message);
process.stdout.write(`${said}\n`);
