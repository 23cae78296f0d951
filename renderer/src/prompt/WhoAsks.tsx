import type { Prompt } from '../../../src/contract/console.ts';
import { dayWords, timeAgo } from '../time-words.ts';
import { useNow } from '../use-now.ts';
import { VisibleText } from '../VisibleText.tsx';
import { CallerProgram } from './CallerProgram.tsx';
import { ChangedProgram } from './ChangedProgram.tsx';

const WANTS = { http: 'asks for this', task: 'asks for this as part of a task' };

/** The name that the requester claims, and beside it everything that Handrail itself knows about it. */
export function WhoAsks({ requester, device }: Pick<Prompt, 'requester' | 'device'>) {
  const now = useNow(30_000);
  const { userId, via, hasKey, program, before, unusual } = requester;
  const knownSinceMs = Date.parse(requester.knownSince);
  return (
    <div className="who-block">
      <p className="who">
        A program calling itself “
        <strong>
          <VisibleText>{userId}</VisibleText>
        </strong>
        ” {WANTS[via]}
      </p>
      <CallerProgram program={program} />
      <ChangedProgram program={program} />
      <p className="who-facts">
        {isNew(knownSinceMs, now) ? (
          <em>First seen {timeAgo(knownSinceMs, now)}</em>
        ) : (
          `Known since ${dayWords(knownSinceMs, now)}`
        )}{' '}
        · {hasKey ? 'locked with a key' : 'no key'}
        {program.kind === 'program' && ` · OS user ${program.uid}`} · on <VisibleText>{device}</VisibleText>
      </p>
      {before !== undefined && (
        <p className="who-facts">
          Before today: {before}
          {unusual !== undefined && (
            <>
              . Now{' '}
              <strong>
                <VisibleText>{unusual}</VisibleText>
              </strong>
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
