import { useMemo } from 'react';
import type { Prompt } from '../../../src/contract/console.ts';
import type { ContentsView, ScriptView } from '../../../src/contract/scripts.ts';
import { ExactText } from '../VisibleText.tsx';
import { Difference } from './Difference.tsx';
import { differenceOf } from './difference.ts';
import { Lines } from './Lines.tsx';

type Subject = Pick<Prompt, 'script' | 'contents'>;

/** The script that would run, or the contents of the file that is written or moved: whole, but for lines that stay as they are. */
export function Evidence({ script, contents }: Subject) {
  if (script !== undefined) return <Script script={script} />;
  return contents === undefined ? null : <Contents contents={contents} />;
}

function Script({ script: { language, text, environment = [], noticed } }: { script: ScriptView }) {
  const isNoticed = (set: string) =>
    noticed.some(({ variable }) => variable !== undefined && set.startsWith(`${variable}=`));
  return (
    <>
      {environment.length > 0 && (
        <>
          <p className="hint">It sets:</p>
          <ul className="environment" aria-label="Variables that it sets" dir="ltr">
            {environment.map((variable) => (
              <li key={variable} className={isNoticed(variable) ? 'noticed-line' : undefined}>
                <code>
                  <ExactText>{variable}</ExactText>
                </code>
              </li>
            ))}
          </ul>
        </>
      )}
      <Lines label={`The ${language} script`} text={text} noticed={noticed} />
    </>
  );
}

function Contents({ contents }: { contents: ContentsView }) {
  const { text, former, noticed, isText } = contents;
  const marked = useMemo(() => new Set(noticed.flatMap(({ lines }) => lines)), [noticed]);
  const rows = useMemo(
    () => (former === undefined ? undefined : differenceOf(former, text, marked)),
    [former, text, marked],
  );
  const limit = limitWords(contents);
  return (
    <>
      {former !== undefined && rows === undefined && (
        <p className="hint">Too much of it changes to be compared. The new text:</p>
      )}
      {rows !== undefined && <Difference label="Changes in the file" rows={rows} marked={marked} />}
      {rows === undefined && text !== '' && (
        <Lines label={labelOf(contents)} text={withoutLastBreak(text)} noticed={noticed} />
      )}
      {!isText && <p className="hint">Some of it is no text, and is shown as the character {'\ufffd'}.</p>}
      {limit !== undefined && <p className="hint">{limit}</p>}
    </>
  );
}

function labelOf({ source, language }: ContentsView): string {
  if (source === 'folder') return 'The names in the folder';
  if (source === 'text') return 'The whole text';
  return language === undefined ? 'The contents of the file' : `The ${language} script`;
}

function limitWords({ isWhole, source, sizeBytes, text }: ContentsView): string | undefined {
  if (!isWhole && source === 'folder') return 'The folder holds more than is listed here.';
  if (!isWhole) return `This is the beginning. The file has ${sizeBytes.toLocaleString('en')} bytes.`;
  return text === '' ? EMPTY[source] : undefined;
}

const EMPTY: Readonly<Record<ContentsView['source'], string>> = {
  parameters: 'The file is empty.',
  text: 'The text is empty.',
  artifact: 'The file is empty.',
  file: 'The file is empty.',
  folder: 'The folder is empty.',
};

/** A break at the end of the last line begins no other line. */
function withoutLastBreak(text: string): string {
  return text.endsWith('\n') ? text.slice(0, -1) : text;
}
