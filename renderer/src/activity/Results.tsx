import { useCallback } from 'react';
import type { Action, Artifact } from '../../../src/contract/action.ts';
import type { ReadFileResult } from '../../../src/contract/files.ts';
import type { ScriptResult as Script } from '../../../src/contract/scripts.ts';
import type { DashboardModel } from '../dashboard-model.ts';
import { VisibleText } from '../VisibleText.tsx';
import { Output, OutputText } from './Output.tsx';
import { usePicture } from './use-picture.ts';

type Props = { action: Pick<Action, 'data' | 'artifacts'>; model: Pick<DashboardModel, 'client'> };

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
