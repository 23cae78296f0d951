import { useCallback } from 'react';
import type { Action, Artifact } from '../../../src/contract/action.ts';
import type { ReadFileResult } from '../../../src/contract/files.ts';
import type { ScriptResult as Script } from '../../../src/contract/scripts.ts';
import type { DashboardModel } from '../dashboard-model.ts';
import { Output, OutputText } from './Output.tsx';
import { ScriptResult } from './ScriptResult.tsx';
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
