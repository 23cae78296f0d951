import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import type { ResolvedApp } from '../../../src/contract/screen.ts';
import type { WebAddress } from '../../../src/contract/web-address.ts';
import { type Applications, runningApp } from './applications.ts';
import { type RunProgram, runScript } from './run-script.ts';

export type Opener = { path: string; app: ResolvedApp };

const nullable = Type.Union([Type.String(), Type.Null()]);
const answerShape = Compile(Type.Object({ path: nullable, bundleId: nullable, name: nullable }));

const SCRIPT_TIMEOUT_MS = 3_000;

/** The app that macOS opens the addresses of a scheme with; null where it names none. Mail is not looked up. */
export async function openerOf(
  scheme: WebAddress['scheme'],
  { run, applications, signal }: { run: RunProgram; applications: Applications; signal: AbortSignal },
): Promise<Opener | null> {
  if (scheme === 'mailto') return null;
  const answer = await runScript(run, {
    script: 'address-opener',
    request: { scheme },
    answer: answerShape,
    timeoutMs: SCRIPT_TIMEOUT_MS,
    signal,
  });
  if (!answer.ok || answer.data.path === null) return null;
  const { path, bundleId, name } = answer.data;
  const app = await runningApp({ path, bundleId, name: name ?? '' }, applications, signal);
  return signal.aborted ? null : { path, app };
}
