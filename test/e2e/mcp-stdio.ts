import { runStdio } from '../../src/mcp/stdio.ts';

/** The stdio side as a process of its own: `node mcp-stdio.ts <address of the daemon> [user id]`. */
const [baseUrl = '', userId] = process.argv.slice(2);
await runStdio({ baseUrl, ...(userId && { userId }), input: process.stdin, output: process.stdout });
process.exit();
