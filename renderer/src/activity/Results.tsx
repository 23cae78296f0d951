import { useCallback, useEffect, useState } from 'react';
import type { Reply } from '../../../src/client/call.ts';
import type { Action, Artifact } from '../../../src/contract/action.ts';
import type { ReadFileResult } from '../../../src/contract/files.ts';
import type { ScriptResult as Script } from '../../../src/contract/scripts.ts';
import { ScrollBox } from '../controls.tsx';
import type { DashboardModel } from '../dashboard-model.ts';
import { VisibleOutput, VisibleText } from '../VisibleText.tsx';
import { usePicture } from './use-picture.ts';

type Props = { action: Pick<Action, 'data' | 'artifacts'>; model: Pick<DashboardModel, 'client'> };

/** An output is shown to its end, folded to this; opened, to the larger figure. A million characters would hold up the page. */
const FOLDED = { lines: 12, characters: 2_000 };
const OPENED = { lines: Number.POSITIVE_INFINITY, characters: 100_000 };

type OutputProps = {
  name: string;
  artifact: Pick<Artifact, 'id'>;
  /** Handrail kept only its end. */
  isCut: boolean;
  model: Pick<DashboardModel, 'client'>;
};

/** An output of a script: its end, and all of it on demand. It is the word of the script, so it is always text. */
function Output({ name, artifact: { id }, isCut, model: { client } }: OutputProps) {
  const { text, problem } = useText(useCallback(() => client.text(id), [client, id]));
  if (problem !== undefined) return <p className="hint">{`${name}: ${problem}`}</p>;
  if (text === undefined) return <p className="hint">Loading the output…</p>;
  return <OutputText name={name} text={text} isCut={isCut} />;
}

function OutputText({ name, text, isCut }: Pick<OutputProps, 'name' | 'isCut'> & { text: string }) {
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

/** The results of an action: pictures, the outputs and changes of a script, the text of a file, other files. */
export function Results({ action: { data, artifacts = [] }, model }: Props) {
  if (isScriptResult(data)) return <ScriptResult result={data} artifacts={artifacts} model={model} />;
  return (
    <>
      {isReadFile(data) && data.text !== undefined && (
        <OutputText name="Text of the file" text={data.text} isCut={false} />
      )}
      {artifacts.map((artifact) => (
        <Result key={artifact.id} artifact={artifact} model={model} />
      ))}
    </>
  );
}

/** The daemon has checked the result of each action type; these tell the types apart. */
function isScriptResult(data: unknown): data is Script {
  return typeof data === 'object' && data !== null && 'exitCode' in data && 'changedFiles' in data;
}

function isReadFile(data: unknown): data is ReadFileResult {
  return typeof data === 'object' && data !== null && 'sha256' in data && 'text' in data;
}

function Result({ artifact, model }: { artifact: Artifact } & Pick<Props, 'model'>) {
  const { mediaType, sizeBytes } = artifact;
  if (mediaType.startsWith('image/')) return <Picture artifact={artifact} model={model} />;
  if (mediaType === 'text/plain') return <Output name="Output" artifact={artifact} isCut={false} model={model} />;
  return <p className="hint">A file of {sizeBytes.toLocaleString('en')} bytes, kept for the requester.</p>;
}

type Pictured = Pick<Props, 'model'> & { artifact: Pick<Artifact, 'id' | 'width' | 'height'> };

/** A picture that an action made. Its bytes come under the key of the session; there is no address that opens it. */
function Picture({ artifact: { id, width, height }, model: { client } }: Pictured) {
  const { url, problem } = usePicture(useCallback(() => client.picture(id), [client, id]));
  if (problem !== undefined) return <p className="hint">{problem}</p>;
  if (url === undefined) return <p className="hint">Loading the picture…</p>;
  return <img className="picture" src={url} alt={`Screenshot, ${width} × ${height}`} width={width} height={height} />;
}

type ScriptResultProps = { result: Script; artifacts: readonly Artifact[]; model: Pick<DashboardModel, 'client'> };

const OUTPUT_NAMES = { stdout: 'Output', stderr: 'Errors' };
const CHANGE_WORDS = { created: 'created', changed: 'changed', removed: 'removed' };
const MOST_FILES = 20;

/** The exit code, the outputs, the changed files and the hosts of a script. */
function ScriptResult({ result, artifacts, model }: ScriptResultProps) {
  const { exitCode, signal, outputs, cut, network } = result;
  return (
    <section className="script-result" aria-label="Result of the script">
      <p>
        <span className={`status ${exitCode === 0 ? 'good' : 'bad'}`}>Exit code {exitCode}</span>
        {signal !== undefined && (
          <>
            {' '}
            ended by <VisibleText>{signal}</VisibleText>
          </>
        )}
        {outputs.length === 0 && ' · no output'}
      </p>
      {outputs.map((output, index) => {
        const artifact = artifacts[index];
        if (artifact === undefined) return null;
        return (
          <Output
            key={artifact.id}
            name={OUTPUT_NAMES[output]}
            artifact={artifact}
            isCut={cut.includes(output)}
            model={model}
          />
        );
      })}
      <ChangedFiles result={result} />
      {network !== undefined && network.reached.length + network.refused.length > 0 && (
        <p>
          Network: <VisibleText>{networkWords(network)}</VisibleText>
        </p>
      )}
    </section>
  );
}

function ChangedFiles({ result: { changedFiles, changedFilesComplete } }: Pick<ScriptResultProps, 'result'>) {
  if (changedFiles.length === 0) return <p>No changed files.</p>;
  const [first, rest] = [changedFiles.slice(0, MOST_FILES), changedFiles.slice(MOST_FILES)];
  const count = `${changedFiles.length.toLocaleString('en')}${changedFilesComplete ? '' : ' or more'}`;
  return (
    <section className="changed-files" aria-label="Changed files">
      <h3>Changed files: {count}</h3>
      <FileList files={first} />
      {rest.length > 0 && (
        <details>
          <summary className="hint">{rest.length.toLocaleString('en')} more</summary>
          <FileList files={rest} />
        </details>
      )}
    </section>
  );
}

function FileList({ files }: { files: Script['changedFiles'] }) {
  return (
    <ul>
      {files.map(({ path, change }) => (
        <li key={`${change} ${path}`}>
          <span className="hint">{CHANGE_WORDS[change]}</span>{' '}
          <code>
            <VisibleText>{path}</VisibleText>
          </code>
        </li>
      ))}
    </ul>
  );
}

function networkWords({ reached, refused, complete }: NonNullable<Script['network']>): string {
  const parts = [
    ...(reached.length > 0 ? [`reached ${reached.join(', ')}`] : []),
    ...(refused.length > 0 ? [`refused ${refused.map(({ to }) => to).join(', ')}`] : []),
  ];
  return `${parts.join('; ')}${complete ? '' : ', and others'}.`;
}
