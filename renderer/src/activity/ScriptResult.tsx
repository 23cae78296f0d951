import type { Artifact } from '../../../src/contract/action.ts';
import type { ScriptResult as Result } from '../../../src/contract/scripts.ts';
import type { DashboardModel } from '../dashboard-model.ts';
import { VisibleText } from '../VisibleText.tsx';
import { Output } from './Output.tsx';

type Props = { result: Result; artifacts: readonly Artifact[]; model: Pick<DashboardModel, 'client'> };

const OUTPUT_NAMES = { stdout: 'Output', stderr: 'Errors' };
const CHANGE_WORDS = { created: 'created', changed: 'changed', removed: 'removed' };
const MOST_FILES = 20;

/** The exit code, the outputs, the changed files and the hosts of a script. */
export function ScriptResult({ result, artifacts, model }: Props) {
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

function ChangedFiles({ result: { changedFiles, changedFilesComplete } }: Pick<Props, 'result'>) {
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

function FileList({ files }: { files: Result['changedFiles'] }) {
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

function networkWords({ reached, refused, complete }: NonNullable<Result['network']>): string {
  const parts = [
    ...(reached.length > 0 ? [`reached ${reached.join(', ')}`] : []),
    ...(refused.length > 0 ? [`refused ${refused.map(({ to }) => to).join(', ')}`] : []),
  ];
  return `${parts.join('; ')}${complete ? '' : ', and others'}.`;
}
