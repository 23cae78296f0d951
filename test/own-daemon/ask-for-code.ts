import { askDaemon } from '../../src/own-daemon/person-call.ts';

/** Sends the verb of the second argument to the daemon of the folder in the first, and prints the answer. */
const [dataDirectory = '', word] = process.argv.slice(2);
const verb = word === 'pause' || word === 'resume' ? word : 'login';
const said = await askDaemon({ dataDirectory, verb }).catch((error: Error) => error.message);
process.stdout.write(`${said}\n`);
