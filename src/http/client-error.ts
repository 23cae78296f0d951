import type { Socket } from 'node:net';
import type { Connections } from './connections.ts';
import { type HttpRefusal, refuse } from './refuse.ts';
import { endWithProblem } from './socket-problem.ts';

/** Answers a request that Node's parser gave up on. Node has no request and no response object for it, so the bytes are written by hand. */
export function createClientErrorHandler(options: {
  connections: Connections;
  newRequestId: () => string;
  onRefused: (refusal: HttpRefusal) => void;
}): (error: Error & { code?: string }, socket: Socket) => void {
  const answer = (socket: Socket, code: string | undefined) => {
    if (socket.destroyed || socket.writableEnded) return;
    const refusal = clientErrorRefusal(code);
    options.onRefused(refusal);
    endWithProblem(socket, refusal, options.newRequestId());
  };
  return (error, socket) => {
    if (error.code === 'ECONNRESET') socket.destroy();
    const before = options.connections.answering(socket);
    // An earlier request on this connection is still being answered: nothing may be written into its response.
    if (before === undefined) answer(socket, error.code);
    else before.once('close', () => answer(socket, error.code));
  };
}

function clientErrorRefusal(code: string | undefined): HttpRefusal {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return refuse('headers_too_large', 'The request line and the headers together may hold 16 KiB; more came.');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return refuse('request_timeout', 'The request did not arrive in time. Send it again, without pauses.');
    default:
      return refuse('malformed_http', 'The request is not HTTP/1.1. Use plain http:// and a well-formed request.');
  }
}
