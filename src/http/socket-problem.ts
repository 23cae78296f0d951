import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Refusal } from '../services/refusal.ts';
import { problemResponse } from './problem-response.ts';

/** How long a refused peer may go on sending before its connection is cut. */
const LINGER_MS = 500;

/**
 * Writes a problem on a socket that no HTTP response object stands for, and closes it. Bytes that the peer still sends are
 * read and dropped for a moment: closing over unread bytes would reset the connection and lose the answer.
 */
export function endWithProblem(socket: Duplex, refusal: Refusal, requestId: string): void {
  socket.on('error', () => socket.destroy());
  const cut = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(cut));
  socket.end(responseText(refusal, requestId));
  socket.resume();
}

function responseText(refusal: Refusal, requestId: string): string {
  const { status, headers, body } = problemResponse(refusal, requestId);
  const text = JSON.stringify(body);
  const all = { ...headers, connection: 'close', 'content-length': String(Buffer.byteLength(text)) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${text}`;
}
