import type { Conversation, ConversationStart, converse } from '../converse.ts';
import type { ProgramResult, ProgramRun } from '../exec.ts';
import {
  asciiJson,
  cleanEnvironment,
  OSASCRIPT,
  parsed,
  type RunProgram,
  scriptPath,
  scriptsFolder,
} from './run-script.ts';

export type Converse = typeof converse;

export type ScriptReader = {
  /** Runs a program; one of the scripts below by the reader where that answers, else by a process of its own. */
  run: RunProgram;
  close(): void;
};

/**
 * Only scripts that read, since a call that the reader does not answer is done again. Not `installed-apps`, whose process would
 * remember old contents of a bundle; not `accessibility`, which makes browser engines build a tree; not `recognize-text`,
 * which runs for several windows at once.
 */
const READING = ['desktop'] as const;

const ANSWER_WITHIN_MS = 3_000;
const IDLE_FOR_MS = 60_000;
/** Then a new process follows, so that neither its memory nor an old view of the desktop lasts. */
const MOST_CALLS = 8;
const MOST_FAILURES = 3;

type Call = { id: number; text: string; largest: number; settle(output: string | null): void };
type Reader = { talk: Conversation; calls: number };

/**
 * One `osascript` for several calls, started with the first one. A call goes the old way, one process for one call, while the
 * reader is busy, where it fails, and for good after three failures.
 */
export function createScriptReader(run: RunProgram, start: Converse): ScriptReader {
  let failures = 0;
  let isClosed = false;
  const line = createLine(start, () => {
    failures += 1;
  });
  return {
    run: async (request): Promise<ProgramResult> => {
      const script = readingScript(request);
      const isOut = script === undefined || line.isBusy() || isClosed || failures >= MOST_FAILURES; // guard E2-56
      if (isOut || request.signal?.aborted) return run(request);
      const output = await line.ask(script, request);
      // The old way also answers a call that was cancelled meanwhile.
      return output === null ? run(request) : { kind: 'exited', exitCode: 0, stdout: output, stderr: '' };
    },
    close: () => {
      isClosed = true;
      line.hangUp();
    },
  };
}

/** One call at a time to a process, which is started when there is none. An answer is null where the process gave none. */
function createLine(start: Converse, failed: () => void) {
  let reader: Reader | null = null;
  let call: Call | null = null;
  let lastId = 0;
  let idle: NodeJS.Timeout | undefined;

  function stop(): void {
    clearTimeout(idle);
    const stopped = reader;
    reader = null;
    stopped?.talk.stop();
  }

  function settle(output: string | null): void {
    const settled = call;
    call = null;
    settled?.settle(output);
  }

  function hangUp(): void {
    stop();
    settle(null);
  }

  function fail(): void {
    failed();
    hangUp();
  }

  function hear(text: string): void {
    if (call !== null) call.text += text;
    if (call !== null && call.text.length <= call.largest && !call.text.includes('\n')) return;
    const output = call === null ? null : outputIn(call);
    if (output === null) fail();
    // guard E2-57
    else if (reader !== null && reader.calls >= MOST_CALLS) stop();
    else idle = setTimeout(stop, IDLE_FOR_MS).unref();
    settle(output);
  }

  function begin(): Reader {
    const own: Reader = { calls: 0, talk: { say: () => undefined, stop: () => undefined } };
    reader = own;
    // A process that was stopped may still speak.
    const isCurrent = () => own === reader; // guard E2-55
    own.talk = start(readerStart(), {
      said: (text) => isCurrent() && hear(text),
      ended: () => isCurrent() && fail(),
    });
    return own;
  }

  async function ask(script: string, request: ProgramRun): Promise<string | null> {
    clearTimeout(idle);
    const id = ++lastId;
    const current = reader ?? begin();
    current.calls += 1;
    const { promise, resolve } = Promise.withResolvers<string | null>();
    const forget = limit(request, { late: fail, cancelled: hangUp });
    call = { id, text: '', largest: request.maxOutputBytes ?? Number.POSITIVE_INFINITY, settle: resolve };
    current.talk.say(`${asciiJson({ id, script, argv: request.args.slice(ARGUMENTS_FROM) })}\n`);
    return promise.finally(forget);
  }

  return { ask, hangUp, isBusy: () => call !== null };
}

function readerStart(): ConversationStart {
  const request = JSON.stringify({ folder: scriptsFolder() });
  const args = ['-l', 'JavaScript', scriptPath('reader'), request];
  return { program: OSASCRIPT, args, environment: cleanEnvironment(process.env) };
}

/** Watches the time and the signal of one call until the returned function is called. */
function limit(
  { timeoutMs, signal }: ProgramRun,
  { late, cancelled }: { late(): void; cancelled(): void },
): () => void {
  const timer = setTimeout(late, Math.min(timeoutMs, ANSWER_WITHIN_MS));
  signal?.addEventListener('abort', cancelled, { once: true });
  return () => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', cancelled);
  };
}

/** After `-l JavaScript` and the script's path. */
const ARGUMENTS_FROM = 3;

function readingScript({ program, args }: ProgramRun): string | undefined {
  return program === OSASCRIPT ? READING.find((name) => args[ARGUMENTS_FROM - 1] === scriptPath(name)) : undefined;
}

/** The output in a line that answers this call; null for anything else, and for a view of the desktop that lacks a part. */
function outputIn({ id, text, largest }: Call): string | null {
  if (text.length > largest || text.indexOf('\n') !== text.length - 1) return null;
  const line = parsed(text);
  if (!isRecord(line) || line.id !== id || line.ok !== true || typeof line.output !== 'string') return null; // guard E2-54
  const output = parsed(line.output);
  const isWhole = isRecord(output) && isRecord(output.errors) && Object.keys(output.errors).length === 0;
  return isWhole ? line.output : null;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
