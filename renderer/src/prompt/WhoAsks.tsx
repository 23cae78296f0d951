import type { Prompt } from '../../../src/contract/console.ts';
import type { CallingProgram, ProgramProcess } from '../../../src/contract/program.ts';
import { PLAIN_PATH } from '../../../src/contract/unseen-characters.ts';
import { useNow } from '../hooks.ts';
import { dayWords, timeAgo } from '../time-words.ts';
import { Quoted, VisibleText } from '../VisibleText.tsx';
import { quotedText } from '../visible-text.ts';

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

const MOST_CHARACTERS = 48;
const BEGINNING = 16;

/** A path in a line. A long one keeps its beginning and its end, which has the name of the file. It is cut at slashes, where that is possible. */
export function shortPath(path: string): string {
  const characters = [...path];
  if (characters.length <= MOST_CHARACTERS) return path;
  const beginning = characters.slice(0, BEGINNING).join('');
  const end = characters.slice(BEGINNING + 1 - MOST_CHARACTERS).join('');
  const folders = beginning.slice(0, beginning.lastIndexOf('/') + 1);
  const slash = end.indexOf('/');
  return `${folders === '' ? beginning : folders}…${slash < 0 ? end : end.slice(slash)}`;
}

/** A path or the name of a program in a line: in quotes where it could read on as words of Handrail. The name of an app may have blanks. */
function inLine(text: string, { isName = false, shown = text } = {}): string {
  return PLAIN_PATH.test(isName ? text.replaceAll(' ', '') : text) ? shown : `“${quotedText(shown)}”`; // guard A5-7
}

/** The parent of a program and the app or terminal that it all began in: `bash, from xterm`. */
export function parentWords(startedBy: readonly ProgramProcess[]): string {
  const [parent] = startedBy;
  const first = startedBy.at(-1);
  if (parent === undefined || first === undefined) return '';
  const name = ({ name: text }: ProgramProcess) => inLine(text, { isName: true });
  return first === parent ? name(parent) : `${name(parent)}, from ${name(first)}`;
}

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
