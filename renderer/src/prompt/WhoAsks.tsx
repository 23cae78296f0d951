import type { Prompt } from '../../../src/contract/console.ts';
import { dayWords, timeAgo } from '../time-words.ts';
import { useNow } from '../use-now.ts';
import { VisibleText } from '../VisibleText.tsx';
import { ChangedProgram } from './ChangedProgram.tsx';
import { ProgramName } from './ProgramName.tsx';

/** The name that the requester claims, the program that Handrail found behind it, and since when it is known. A requester that was just seen first has no past. */
export function WhoAsks({ requester }: Pick<Prompt, 'requester'>) {
  const now = useNow(30_000);
  const { userId, program, before, unusual } = requester;
  const knownSinceMs = Date.parse(requester.knownSince);
  const isFirstSeen = isNew(knownSinceMs, now);
  return (
    <div className="who-block">
      <p className="who">
        “
        <strong>
          <VisibleText>{userId}</VisibleText>
        </strong>
        ” asks ·{' '}
        <span className="program">
          {program.kind === 'unknown' ? (
            <>
              program unknown: <VisibleText>{program.because}</VisibleText>
            </>
          ) : (
            <ProgramName program={program} />
          )}
        </span>{' '}
        ·{' '}
        <span className="since">
          {isFirstSeen ? (
            <em>first seen {timeAgo(knownSinceMs, now)}</em>
          ) : (
            `known since ${dayWords(knownSinceMs, now)}`
          )}
        </span>
      </p>
      <ChangedProgram program={program} />
      {before !== undefined && (!isFirstSeen || unusual !== undefined) && (
        <p className="who-facts">
          Before today: {before}.
          {unusual !== undefined && (
            <>
              {' '}
              Now{' '}
              <strong>
                <VisibleText>{unusual}</VisibleText>
              </strong>
              .
            </>
          )}
        </p>
      )}
    </div>
  );
}

const NEW_FOR_MS = 3_600_000;

/** Whether Handrail saw a requester first within the last hour. Both times are in epoch milliseconds. */
export function isNew(knownSinceMs: number, nowMs: number): boolean {
  return nowMs - knownSinceMs < NEW_FOR_MS;
}
