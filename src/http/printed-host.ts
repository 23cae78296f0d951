import type { FastifyRequest } from 'fastify';
import type { App } from './app.ts';
import { LOOPBACK } from './own-address.ts';
import { refuse } from './refuse.ts';

/**
 * The page and the console are served under `127.0.0.1` only. `localhost` also means `[::1]`, where another program may listen on
 * the same port. The page of that program could read a key stored for the origin `http://localhost:<port>`.
 */
export function requirePrintedHost(scope: App): void {
  scope.addHook('onRequest', (request, reply, done) => {
    if (isPrintedHost(request)) return done();
    const detail = `The console answers under ${printedAddress(request)} only. "localhost" may lead to another program, so no key may be sent there.`;
    reply.send(refuse('host_not_allowed', detail, { countedAs: 'console_by_localhost' }));
  });
}

/** As `requirePrintedHost`, for addresses that a person opens: the browser is sent to the page's own address. */
export function redirectToPrintedHost(scope: App): void {
  scope.addHook('onRequest', (request, reply, done) => {
    if (isPrintedHost(request)) done();
    else reply.redirect(`${printedAddress(request)}/`, 302);
  });
}

function isPrintedHost({ headers }: FastifyRequest): boolean {
  return String(headers.host).startsWith(`${LOOPBACK}:`);
}

/** The perimeter let two names through; both have the port. */
function printedAddress({ headers }: FastifyRequest): string {
  const port = String(headers.host).split(':').at(-1);
  return `http://${LOOPBACK}:${port}`;
}
