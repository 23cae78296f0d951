import type { ServerEvent } from '../../../src/client/read-events.ts';

/** An insight of which Guardian notifies the person. */
export type ToldInsight = { insightId: string; title: string };

/** The insight that a message of the event stream tells of, if it tells of one. */
export function toldInsight({ event, data }: ServerEvent): ToldInsight | undefined {
  if (event !== 'insight.told') return undefined;
  const { metadata }: { metadata?: { insightId?: unknown; title?: unknown } } = JSON.parse(data);
  return { insightId: String(metadata?.insightId), title: String(metadata?.title) };
}
