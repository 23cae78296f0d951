import type { Prompt } from '../../../src/contract/console.ts';
import type { CallingProgram } from '../../../src/contract/program.ts';
import { Quoted } from '../Quoted.tsx';
import { dayWords, timeAgo } from '../time-words.ts';
import { useNow } from '../use-now.ts';
import { VisibleText } from '../VisibleText.tsx';
import { inLine, parentWords, shortPath } from './program-words.ts';

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

type Named = { name: string; path?: string; script?: string };

/** A program as a prompt names it: its name, the script that it runs and its path. */
function ProgramName({ program: { name, path, script } }: { program: Named }) {
  return (
    <>
      <strong>
        <VisibleText>{inLine(name, { isName: true })}</VisibleText>
      </strong>
      {script !== undefined && (
        <>
          {' '}
          running <VisibleText>{inLine(script, { shown: shortPath(script) })}</VisibleText>
        </>
      )}
      {path !== undefined && path !== name && (
        <>
          {' '}
          (<VisibleText>{inLine(path, { shown: shortPath(path) })}</VisibleText>)
        </>
      )}
    </>
  );
}

/** One program connected, and another one held the connection when the request was read: neither is sure to be the one that asks. */
export function ChangedProgram({ program }: { program: CallingProgram }) {
  if (program.kind === 'unknown' || program.changedFrom === undefined) return null;
  return (
    <p className="program program-changed">
      <strong>The program changed.</strong> The connection was made by <ProgramName program={program.changedFrom} />. A
      program that does this may want to look like another one.
    </p>
  );
}

/** Which program really asks, as the operating system tells it, with its whole path. The claim has a line of its own: its text could look like the rest of ours. */
export function CallerProgram({ program }: { program: CallingProgram }) {
  const { claims } = program;
  return (
    <>
      <FoundProgram program={program} />
      {claims !== undefined && (
        <p className="claim">
          Its own claim, not verified: <Quoted>{claims}</Quoted>
        </p>
      )}
    </>
  );
}

function FoundProgram({ program }: { program: CallingProgram }) {
  if (program.kind === 'unknown') {
    return (
      <p className="program">
        Program unknown: <VisibleText>{program.because}</VisibleText>
      </p>
    );
  }
  const { name, path = name, script, startedBy, through } = program;
  return (
    <p className="program">
      <VisibleText>{inLine(path)}</VisibleText>
      {script !== undefined && (
        <>
          {' '}
          running <VisibleText>{inLine(script)}</VisibleText>
        </>
      )}
      {startedBy.length > 0 && (
        <>
          , started by <VisibleText>{parentWords(startedBy)}</VisibleText>
        </>
      )}
      {through !== undefined && ` · connected through Handrail’s own command, process ${through.pid}`}
    </p>
  );
}
