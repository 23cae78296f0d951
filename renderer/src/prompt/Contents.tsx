import type { ContentsView } from '../../../src/contract/scripts.ts';
import { Lines } from './Lines.tsx';
import { NoticedDangers } from './NoticedDangers.tsx';

/** The contents of a file that is written or moved, or the names in a folder, with the dangers that were noticed. */
export function Contents({ contents }: { contents: ContentsView }) {
  const { source, text, language, noticed, isText } = contents;
  const limit = limitWords(contents);
  return (
    <>
      <p className="contents-source">{SOURCES[source]}</p>
      <NoticedDangers
        script={contents}
        place={source === 'folder' ? 'folder' : language === undefined ? 'file' : 'script'}
      />
      {text !== '' && <Lines label={labelOf(contents)} text={withoutLastBreak(text)} noticed={noticed} />}
      {!isText && <p className="noticed-limit">Some of it is no text, and is shown as the character \ufffd.</p>}
      {limit !== undefined && <p className="noticed-limit">{limit}</p>}
    </>
  );
}

const SOURCES: Readonly<Record<ContentsView['source'], string>> = {
  parameters: 'From the arguments:',
  text: 'The whole text:',
  artifact: 'From the artifact, as Handrail keeps it:',
  file: 'From the file, as the device agent found it:',
  folder: 'In the folder, as the device agent found it:',
};

function labelOf({ source, language }: ContentsView): string {
  if (source === 'folder') return 'The names in the folder';
  if (source === 'text') return 'The whole text';
  return language === undefined ? 'The contents of the file' : `The ${language} script`;
}

function limitWords({ isWhole, source, sizeBytes, text }: ContentsView): string | undefined {
  if (!isWhole && source === 'folder') return 'The folder holds more than is listed here.';
  if (!isWhole) return `Only the beginning is shown: the file has ${sizeBytes.toLocaleString('en')} bytes.`;
  if (text !== '') return undefined;
  if (source === 'text') return 'The text is empty.';
  return source === 'folder' ? 'The folder is empty.' : 'The file is empty.';
}

/** A break at the end of the last line begins no other line. */
function withoutLastBreak(text: string): string {
  return text.endsWith('\n') ? text.slice(0, -1) : text;
}
