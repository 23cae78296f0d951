import { connect } from 'node:net';
import type { Readable } from 'node:stream';

export type Address = { host: string; port: number };

/** What came back on one connection: the first response, and whether the server then closed. */
export type RawResponse = {
  status: number;
  headers: Record<string, string>;
  body: string;
  /** Everything received, header names included, for what must appear nowhere. */
  text: string;
  closed: boolean;
};

const PATIENCE_MS = 4_000;

/** Sends bytes as they are over a socket of its own, and reads the first response. Waits for the close if one was announced. */
export async function sendRaw({ host, port }: Address, bytes: string | Uint8Array): Promise<RawResponse> {
  const socket = connect({ host, port });
  try {
    socket.write(bytes);
    return await readResponse(socket);
  } finally {
    socket.destroy();
  }
}

/** The text of a request: the given headers, exactly as they are written. */
export function requestText(line: string, headers: readonly string[], body = ''): string {
  return [`${line} HTTP/1.1`, ...headers, '', body].join('\r\n');
}

export function readResponse(socket: Readable): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const settle = (closed: boolean) => {
      const response = parseResponse(Buffer.concat(chunks), closed);
      if (response === undefined) return closed && reject(new Error(`no response: ${Buffer.concat(chunks)}`));
      if (!closed && response.headers.connection === 'close') return;
      clearTimeout(patience);
      resolve(response);
    };
    const patience = setTimeout(() => reject(new Error(`no end: ${Buffer.concat(chunks)}`)), PATIENCE_MS);
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      settle(false);
    });
    // A reset after the answer is an end like any other; before it, `close` finds no response.
    socket.on('error', () => undefined);
    socket.on('close', () => settle(true));
  });
}

function parseResponse(bytes: Buffer, closed: boolean): RawResponse | undefined {
  const text = bytes.toString('latin1');
  const end = text.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  const [statusLine = '', ...lines] = text.slice(0, end).split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), valueIn(line)]),
  );
  const body = bodyOf(text.slice(end + 4), headers);
  if (body === undefined) return undefined;
  const status = Number(statusLine.split(' ')[1]);
  return { status, headers, body: Buffer.from(body, 'latin1').toString(), text, closed };
}

function valueIn(line: string): string {
  return line.slice(line.indexOf(':') + 1).trim();
}

/** `undefined` until it is all there. No response of ours is chunked. */
function bodyOf(rest: string, headers: Record<string, string>): string | undefined {
  const length = Number(headers['content-length'] ?? 0);
  return rest.length < length ? undefined : rest.slice(0, length);
}
