import type { ProblemCode } from '../../contract/problem.ts';
import type { RiskCause } from '../../contract/risk.ts';
import type { HeldControl } from '../../guardian/risk/refusing-controls.ts';
import { countersBehind } from '../../guardian/risk/risk-score.ts';
import type { Context } from '../context.ts';
import type { Span } from './windows.ts';

/** The codes of refusals behind a control that held, and the kind of their sources. */
const REFUSALS: Partial<Record<HeldControl, { kind: 'origin' | 'requester'; codes: readonly ProblemCode[] }>> = {
  webPage: { kind: 'origin', codes: ['cross_site_request', 'origin_not_allowed'] },
  host: { kind: 'origin', codes: ['host_not_allowed'] },
  userKey: { kind: 'requester', codes: ['user_key_invalid'] },
};

/** The requester that more than half of a cause came from, if there is one. */
export function mainRequester({ store }: Context, span: Span, cause: RiskCause): string | undefined {
  if (cause === 'controls_held') return undefined;
  return mainOf(store.recording.parts(span, 'requester', { count: countersBehind(cause), total: [] }));
}

/** The web page or the user id that more than half of the attempts against a control came from, as far as their source is known. */
export function sourceOfHeld(
  { store }: Context,
  span: Span,
  control: HeldControl | undefined,
): { kind: 'origin' | 'requester'; name: string } | undefined {
  const refusals = control === undefined ? undefined : REFUSALS[control];
  if (refusals === undefined) return undefined;
  const sources = store.recording.refusedSources(span, refusals.codes);
  const name = mainOf(sources.map(({ source, times }) => ({ key: source, count: times })));
  return name === undefined ? undefined : { kind: refusals.kind, name };
}

/** The key with more than half of all. */
function mainOf(parts: readonly { key: string; count: number }[]): string | undefined {
  const all = parts.reduce((sum, { count }) => sum + count, 0);
  return parts.find(({ key, count }) => key !== '' && 2 * count > all)?.key;
}
