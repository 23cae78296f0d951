import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { Compile } from 'typebox/compile';
import {
  COMMAND_LINE_PATH,
  type PersonVerb,
  PersonVerbAnswer,
  type PersonVerbRequest,
} from '../contract/person-verb.ts';
import { Problem } from '../contract/problem.ts';
import { notedDaemon } from '../store/database/data-directory.ts';

/** A daemon on a busy machine may take seconds to find out which program calls. */
const ANSWER_WITHIN_MS = 15_000;

/** The daemon does not do it. The message is its reason. */
export class DeclinedByDaemon extends Error {
  override readonly name = 'DeclinedByDaemon';
}

/** No daemon that takes the verbs of the person uses the data directory. */
export class NoDaemon extends Error {
  override readonly name = 'NoDaemon';
}

type Question = Partial<PersonVerbRequest> & {
  dataDirectory: string;
  verb: PersonVerb;
  withinMs?: number | undefined;
};

/** Sends a verb of the person to the daemon of a data directory. Throws `NoDaemon`, `DeclinedByDaemon`, or the error of the system. */
export async function askDaemon({ dataDirectory, verb, words = '', withinMs, ...given }: Question): Promise<string> {
  const { port, key } = notedDaemon(dataDirectory) ?? {};
  if (port === undefined || key === undefined) throw new NoDaemon(`no daemon has noted a key in ${dataDirectory}`);
  const { status, body } = await sent({ port, key, verb, body: { words, ...given }, withinMs });
  if (status === 404) throw new NoDaemon(`the program at port ${port} does not know the key in ${dataDirectory}`);
  if (answer.Check(body) && 'done' in body) return body.done;
  throw new DeclinedByDaemon(answer.Check(body) && 'declined' in body ? body.declined : detailOf(body));
}

/** Asks for a fresh sign-in code; answers with the line `code XXXX-XXXX`. */
export async function askForSignInCode(dataDirectory: string): Promise<string> {
  return `code ${await askDaemon({ dataDirectory, verb: 'login' })}`;
}

const answer = Compile(PersonVerbAnswer);
const problem = Compile(Problem);

type Sent = { port: number; key: string; verb: PersonVerb; body: PersonVerbRequest; withinMs: number | undefined };

/** Not `fetch`, which a variable of the environment can send through a proxy: the key and a code are for this machine only. */
function sent({
  port,
  key,
  verb,
  body,
  withinMs = ANSWER_WITHIN_MS,
}: Sent): Promise<{ status: number; body: unknown }> {
  return new Promise((resolve, reject) => {
    const failed = (error: Error) => reject(failureOf(error, port, withinMs));
    const asked = request({
      host: '127.0.0.1',
      port,
      path: `${COMMAND_LINE_PATH}/${verb}`,
      method: 'POST',
      agent: false,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      signal: AbortSignal.timeout(withinMs),
    });
    asked.once('error', failed);
    asked.once('response', (response) => {
      text(response).then((read) => resolve({ status: Number(response.statusCode), body: parsed(read) }), failed);
    });
    asked.end(JSON.stringify(body));
  });
}

function failureOf(error: Error, port: number, withinMs: number): Error {
  if (error.name === 'AbortError') return new Error(`no answer came within ${withinMs / 1_000} s`, { cause: error });
  const isRefused = 'code' in error && error.code === 'ECONNREFUSED';
  return isRefused ? new NoDaemon(`nothing listens on port ${port}`, { cause: error }) : error;
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** The daemon says in a problem why it did not take a request, as when its storage is full. */
function detailOf(body: unknown): string {
  return problem.Check(body) ? body.detail : 'The answer is not one of Handrail. Try again.';
}
