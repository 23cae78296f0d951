import { useCallback } from 'react';
import type { Prompt } from '../../../src/contract/console.ts';
import { usePicture } from '../activity/use-picture.ts';
import type { DashboardModel } from '../dashboard-model.ts';
import { VisibleText } from '../VisibleText.tsx';

type Props = { confirmationId: string; target: NonNullable<Prompt['target']>; model: Pick<DashboardModel, 'client'> };

/** The window or region that the request is about, as it is now. Its place has one height, so that its arrival moves nothing. */
export function TargetPicture({ confirmationId, target, model: { client } }: Props) {
  const { url, problem } = usePicture(
    useCallback(() => client.targetPicture(confirmationId), [client, confirmationId]),
  );
  return (
    <figure className="target">
      <div className="target-frame">
        {url !== undefined && <img src={url} alt={`The ${target} as it is now`} />}
        {problem !== undefined && (
          <p className="hint">
            <VisibleText>{problem}</VisibleText>
          </p>
        )}
        {url === undefined && problem === undefined && <p className="hint">Loading the picture of the {target}…</p>}
      </div>
      <figcaption className="hint">The {target} now. Only you see this.</figcaption>
    </figure>
  );
}
