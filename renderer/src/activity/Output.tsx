import { useCallback, useEffect, useState } from 'react';
import type { Reply } from '../../../src/client/call.ts';
import type { Artifact } from '../../../src/contract/action.ts';
import type { DashboardModel } from '../dashboard-model.ts';
import { ScrollBox } from '../ScrollBox.tsx';
import { VisibleOutput } from '../VisibleText.tsx';

/** An output is shown to its end, folded to this; opened, to the larger figure. A million characters would hold up the page. */
const FOLDED = { lines: 12, characters: 2_000 };
const OPENED = { lines: Number.POSITIVE_INFINITY, characters: 100_000 };

type Props = {
  name: string;
  artifact: Pick<Artifact, 'id'>;
  /** Handrail kept only its end. */
  isCut: boolean;
  model: Pick<DashboardModel, 'client'>;
};

/** An output of a script: its end, and all of it on demand. It is the word of the script, so it is always text. */
export function Output({ name, artifact: { id }, isCut, model: { client } }: Props) {
  const { text, problem } = useText(useCallback(() => client.text(id), [client, id]));
  if (problem !== undefined) return <p className="hint">{`${name}: ${problem}`}</p>;
  if (text === undefined) return <p className="hint">Loading the output…</p>;
  return <OutputText name={name} text={text} isCut={isCut} />;
}

export function OutputText({ name, text, isCut }: Pick<Props, 'name' | 'isCut'> & { text: string }) {
  const [isOpened, setOpened] = useState(false);
  const folded = shownText(text, { isOpened: false });
  const shown = isOpened ? shownText(text, { isOpened }) : folded;
  return (
    <section className="output" aria-label={name}>
      <p className="output-title">
        <span>{name}</span>
        {!folded.isWhole && (
          <button type="button" className="quiet" aria-expanded={isOpened} onClick={() => setOpened(!isOpened)}>
            {isOpened ? 'Show less' : `Show all ${text.length.toLocaleString('en')} characters`}
          </button>
        )}
      </p>
      {(isCut || !shown.isWhole) && <p className="hint">{leftOutWords(shown.text.length, { isOpened, isCut })}</p>}
      <ScrollBox className="output-text" label={`${name}, text`}>
        <pre dir="ltr">
          <VisibleOutput>{shown.text}</VisibleOutput>
        </pre>
      </ScrollBox>
    </section>
  );
}

function leftOutWords(length: number, { isOpened, isCut }: { isOpened: boolean; isCut: boolean }): string {
  if (!isOpened && !isCut) return 'The end of it:';
  if (isCut) return 'The end of it; Handrail keeps no more than 1 MiB of an output.';
  return `The last ${length.toLocaleString('en')} characters:`;
}

/** A text, or why there is none; neither while it is loading. */
type LoadedText = { text?: string; problem?: string };

/** Loads a text under the key of the session. `load` must stay the same for one text. */
function useText(load: () => Promise<Reply<string>>): LoadedText {
  const [loaded, setLoaded] = useState<LoadedText>({});
  useEffect(() => {
    let isGone = false;
    void load().then((answer) => {
      if (!isGone) setLoaded(answer.ok ? { text: answer.value } : { problem: answer.failure.detail });
    });
    return () => {
      isGone = true;
    };
  }, [load]);
  return loaded;
}

type ShownText = { text: string; isWhole: boolean };

/** The end of an output that is shown, and whether that is all of it. */
export function shownText(text: string, { isOpened }: { isOpened: boolean }): ShownText {
  const { lines, characters } = isOpened ? OPENED : FOLDED;
  const from = Math.max(startOfLastLines(text, lines), text.length - characters, 0);
  const start = isSecondHalf(text, from) ? from + 1 : from;
  return { text: text.slice(start), isWhole: start === 0 };
}

/** Where the last lines begin. A line break at the end ends the last line and begins none. */
function startOfLastLines(text: string, count: number): number {
  let at = text.endsWith('\n') ? text.length - 1 : text.length;
  for (let lines = 0; lines < count; lines += 1) {
    at = at > 0 ? text.lastIndexOf('\n', at - 1) : -1;
    if (at === -1) return 0;
  }
  return at + 1;
}

/** Whether a cut here would part a character that takes two places. */
function isSecondHalf(text: string, at: number): boolean {
  return at > 0 && /[\udc00-\udfff]/.test(text.charAt(at));
}
