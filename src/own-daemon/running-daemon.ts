import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { Health } from '../contract/health.ts';
import { notedDaemon } from '../store/database/data-directory.ts';
import type { Settings } from './settings.ts';

/** Why a daemon did not start. `port` and `data`: another program holds what it needs. */
export type StartFailure = 'port' | 'data' | 'other';

/** Where a daemon of ours runs already. */
export type RunningDaemon = { dashboardAddress: string };

const ANSWER_WITHIN_MS = 1_500;
/** What a Handrail of any version says of itself. */
const Said = Type.Pick(Type.Object(Health.properties), ['service', 'instanceId', 'acceptsOtherDaemons']);
const said = Compile(Said);
/** The codes of a port at which nothing listens, or a program that does not speak HTTP. */
const OTHERS = /^(?:ECONNREFUSED|HPE_)/;

export function startFailureOf(error: unknown): StartFailure {
  if (!(error instanceof Error)) return 'other';
  if (error.name === 'DataDirectoryInUse') return 'data';
  return error.name === 'ListenError' && codeOf(error.cause) === 'EADDRINUSE' ? 'port' : 'other';
}

/** Why a daemon did not start, for the person. A taken port also says whether another Handrail has it. */
export async function startFailureWords(error: unknown): Promise<string> {
  if (!(error instanceof Error)) return String(error);
  const words = error.message;
  const port = 'port' in error && typeof error.port === 'number' ? error.port : 0;
  const isOurs = startFailureOf(error) === 'port' && (await isHandrail(port, ANSWER_WITHIN_MS));
  return isOurs ? `${words} The other program is a Handrail: http://127.0.0.1:${port}/` : words;
}

/**
 * Looks for the daemon that holds the port or the data directory: where the data directory says, then at the port of the settings.
 * `withinMs`: how long each may take to answer; where nothing listens, that is known at once.
 * A program that only pretends to be Handrail gets nothing by that: the person types no code where it was not printed.
 */
export async function findRunningDaemon(
  settings: Pick<Settings, 'port' | 'dataDirectory'>,
  withinMs: number = ANSWER_WITHIN_MS,
): Promise<RunningDaemon | undefined> {
  const noted = notedDaemon(settings.dataDirectory)?.port;
  for (const port of new Set([noted, settings.port])) {
    if (port !== undefined && port !== 0 && (await isHandrail(port, withinMs)))
      return { dashboardAddress: `http://127.0.0.1:${port}/` };
  }
  return undefined;
}

async function isHandrail(port: number, withinMs: number): Promise<boolean> {
  return typeof (await healthAt(port, withinMs)) === 'object';
}

/** `nobody`: nothing listens there, or something that is not Handrail. A daemon with too many connections cuts them: `silence`. */
export async function healthAt(
  port: number,
  withinMs: number = ANSWER_WITHIN_MS,
): Promise<Static<typeof Said> | 'nobody' | 'silence'> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/health`, {
      signal: AbortSignal.timeout(withinMs),
      // A connection that was kept may have been cut meanwhile.
      headers: { connection: 'close' },
      redirect: 'manual',
    });
    const answer: unknown = await response.json();
    return said.Check(answer) ? answer : 'nobody';
  } catch (error) {
    const isOther =
      error instanceof SyntaxError || (error instanceof Error && OTHERS.test(String(codeOf(error.cause))));
    return isOther ? 'nobody' : 'silence';
  }
}

function codeOf(cause: unknown): unknown {
  return typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : undefined;
}
