import type { Prompt } from '../../../src/contract/console.ts';
import { dayWords, timeAgo } from '../time-words.ts';
import { useNow } from '../use-now.ts';
import { VisibleText } from '../VisibleText.tsx';

const CAME_BY = { http: 'over HTTP', task: 'with a task' };
const NEW_FOR_MS = 3_600_000;

export function WhoAsks({ requester }: Pick<Prompt, 'requester'>) {
  const now = useNow(30_000);
  const knownSinceMs = Date.parse(requester.knownSince);
  const isNew = now - knownSinceMs < NEW_FOR_MS;
  return (
    <p className="who">
      <strong>
        <VisibleText>{requester.userId}</VisibleText>
      </strong>{' '}
      asks {CAME_BY[requester.via]} ·{' '}
      {isNew ? <em>first seen {timeAgo(knownSinceMs, now)}</em> : `known since ${dayWords(knownSinceMs, now)}`}
    </p>
  );
}
