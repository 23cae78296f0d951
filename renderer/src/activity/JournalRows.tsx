import type { StreamEvent } from '../../../src/contract/event.ts';
import { ExactText } from '../VisibleText.tsx';
import { momentWords } from './activity-words.ts';

/** The rows of the journal about one action, folded until they are asked for. */
export function JournalRows({ rows, now }: { rows: readonly StreamEvent[]; now: number }) {
  if (rows.length === 0) return null;
  return (
    <details className="journal">
      <summary>Journal: {rows.length === 1 ? '1 row' : `${rows.length} rows`}</summary>
      <ol>
        {rows.map(({ id, at, kind, metadata }) => (
          <li key={id}>
            <span className="hint">
              {id} · <time dateTime={at}>{momentWords(at, now)}</time>
            </span>{' '}
            <strong>{kind}</strong>{' '}
            <ExactText>{Object.keys(metadata).length === 0 ? '' : JSON.stringify(metadata)}</ExactText>
          </li>
        ))}
      </ol>
    </details>
  );
}
