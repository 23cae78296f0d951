import type { Failure } from '../../src/client/reply.ts';

/** A failure in words for a person; the daemon's detail where no better sentence exists. */
export function failureSentence({ code, detail }: Failure): string {
  return SENTENCES[code] ?? detail;
}

const SENTENCES: Partial<Record<Failure['code'], string>> = {
  unreachable: 'Handrail does not answer; nothing was decided. Trying again…',
  confirmation_stale: 'The request has changed since you saw it. Look at it again before you answer.',
  confirmation_resolved: 'This request was already answered; your answer changed nothing.',
  confirmation_expired: 'Time ran out, which means no. Nothing was done.',
  confirmation_not_ready: 'That was too early; nothing was decided. Look at the request once more, then answer.',
  not_found: 'That is gone, or this Handrail cannot do it; nothing was changed.',
  paused: 'Handrail is paused. Resume it first.',
};
