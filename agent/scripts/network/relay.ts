/** Where a script in its sandbox reaches the proxy: a port of its own namespace, which nothing outside can see. */
export const RELAY_PORT = 3_128;

/**
 * A program for Node inside the sandbox. It listens on the port, passes each connection on to the socket of the proxy, says on descriptor 3 that
 * it is ready, waits there for the word of the agent, runs the script and ends with its exit code. Arguments: socket, port, program, its arguments.
 */
export const RELAY = `
const net = require('node:net');
const [socket, port, program, ...args] = process.argv.slice(2);
const server = net.createServer({ allowHalfOpen: true }, (near) => {
  const far = net.connect({ path: socket, allowHalfOpen: true });
  for (const [one, other] of [[near, far], [far, near]]) {
    one.on('error', () => other.destroy());
    one.on('close', () => other.end());
    one.pipe(other);
  }
});
server.on('error', (error) => {
  console.error(error.message);
  process.exit(1);
});
server.listen(Number(port), '127.0.0.1', () => {
  const fs = require('node:fs');
  fs.writeSync(3, 'ready\\n');
  if (fs.readSync(3, Buffer.alloc(1)) === 0) process.exit(1);
  fs.closeSync(3);
  const child = require('node:child_process').spawn(program, args, { stdio: 'inherit' });
  child.on('error', (error) => {
    console.error(error.message);
    process.exit(127);
  });
  child.on('exit', (code, signal) => process.exit(code ?? 128 + require('node:os').constants.signals[signal]));
});
`;

/** The settings by which programs find a proxy. Node looks at them only when it is asked to. */
export function proxyEnvironment(address: string): Record<string, string> {
  return {
    HTTP_PROXY: address,
    HTTPS_PROXY: address,
    http_proxy: address,
    https_proxy: address,
    NODE_USE_ENV_PROXY: '1',
  };
}
