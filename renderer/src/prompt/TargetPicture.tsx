import { useCallback } from 'react';
import type { Prompt } from '../../../src/contract/console.ts';
import { usePicture } from '../activity/use-picture.ts';
import type { DashboardModel } from '../dashboard-model.ts';
import { VisibleText } from '../VisibleText.tsx';
import { Outlines } from './Outlines.tsx';

type Props = {
  confirmationId: string;
  /** The id of the step of a plan that the picture is of. */
  step?: string;
  target: NonNullable<Prompt['target']>;
  crop: Prompt['crop'];
  model: Pick<DashboardModel, 'client'>;
};

/**
 * The window or region that the request is about, as it is now, with the controls outlined where it is about these. Its place has one
 * height, so that its arrival moves nothing.
 */
export function TargetPicture({ confirmationId, step, target, crop, model: { client } }: Props) {
  const { url, problem } = usePicture(
    useCallback(() => client.targetPicture(confirmationId, step), [client, confirmationId, step]),
  );
  const what = crop === undefined ? `The ${target}` : 'The place on the screen';
  return (
    <figure className="target" data-crop={crop === undefined ? undefined : ''}>
      <div className="target-frame">
        {url !== undefined && <img src={url} alt={`${what} as it is now`} />}
        {url !== undefined && crop !== undefined && <Outlines {...crop} />}
        {problem !== undefined && (
          <p className="hint">
            <VisibleText>{problem}</VisibleText>
          </p>
        )}
        {url === undefined && problem === undefined && <p className="hint">Loading the picture of the {target}…</p>}
      </div>
      <figcaption className="hint">As it is now. Only you see this.</figcaption>
    </figure>
  );
}
