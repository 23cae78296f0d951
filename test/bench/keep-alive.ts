import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';

/** The largest piece of an answer that is read at once. */
const READ_BYTES = 1 << 20;
const END_OF_HEAD = '\r\n\r\n';

type Answer = { status: number; body: string };

/**
 * Calls over one connection that stays open, one at a time: the least a client can cost. It reads into one buffer that it keeps, since
 * whatever else it allocated would be collected beside what is measured, on the cores it is measured on. The answers must tell their
 * length.
 */
export function createKeepAliveClient(base: string, headers: Record<string, string>) {
  const { hostname, port, host } = new URL(base);
  const named = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  const piece = Buffer.allocUnsafe(READ_BYTES);
  let connection: Promise<Socket> | undefined;
  let answering: { read(bytes: number): void; failed(error: Error): void } | undefined;

  async function connected(): Promise<Socket> {
    const onread = {
      buffer: piece,
      callback(bytes: number) {
        answering?.read(bytes);
        return true;
      },
    };
    const socket = createConnection({ host: hostname, port: Number(port), noDelay: true, onread });
    await once(socket, 'connect');
    const ended = (error?: Error) => {
      connection = undefined;
      answering?.failed(error ?? new Error(`${base} closed the connection before it had answered.`));
    };
    socket.on('error', ended).on('close', () => ended());
    return socket;
  }

  async function send(head: string, bytes: Buffer | undefined, isKept: boolean): Promise<Answer> {
    connection ??= connected();
    const socket = await connection;
    return new Promise((resolve, reject) => {
      const answer = createAnswer(piece, isKept, (whole) => {
        answering = undefined;
        resolve(whole);
      });
      answering = { read: answer, failed: reject };
      socket.write(head);
      if (bytes !== undefined) socket.write(bytes);
    });
  }

  const get = (path: string, isKept: boolean) =>
    send(`GET ${path} HTTP/1.1\r\n${named.join('')}\r\n`, undefined, isKept);
  function post(path: string, body: object, isKept: boolean): Promise<Answer> {
    const bytes = Buffer.from(JSON.stringify(body));
    const described = `content-type: application/json\r\ncontent-length: ${bytes.byteLength}\r\n`;
    return send(`POST ${path} HTTP/1.1\r\n${named.join('')}${described}\r\n`, bytes, isKept);
  }
  return {
    /** Resolves with the status when all has come. */
    post: async (path: string, body: object): Promise<number> => (await post(path, body, false)).status,
    /** Resolves with the status when all has come; the bytes themselves are dropped. */
    get: async (path: string): Promise<number> => (await get(path, false)).status,
    /** Resolves with the answer, which is JSON. */
    ask: async <Body>(path: string, body: object): Promise<Body> =>
      JSON.parse((await post(path, body, true)).body) as Body,
    close(): void {
      void connection?.then((socket) => socket.destroy());
    },
  };
}

/** Takes an answer piece by piece, and tells when all of it has come; its body only where it is to be kept. */
function createAnswer(piece: Buffer, isKept: boolean, complete: (answer: Answer) => void): (bytes: number) => void {
  let status = 0;
  let missing = 0;
  const kept: Buffer[] = [];

  function readHead(bytes: number): number {
    const end = piece.indexOf(END_OF_HEAD);
    const head = piece.toString('latin1', 0, end);
    const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
    if (end < 0 || end > bytes || length === undefined)
      throw new Error(`This answer does not tell its length: ${head}`);
    status = Number(head.slice(9, 12));
    missing = Number(length);
    return end + END_OF_HEAD.length;
  }

  return (bytes) => {
    const from = status === 0 ? readHead(bytes) : 0;
    if (isKept) kept.push(Buffer.from(piece.subarray(from, bytes)));
    missing -= bytes - from;
    if (missing <= 0) complete({ status, body: Buffer.concat(kept).toString() });
  };
}
