import { type CSSProperties, useCallback, useState } from 'react';
import type { Prompt } from '../../../src/contract/console.ts';
import { usePicture } from '../activity/use-picture.ts';
import type { DashboardModel } from '../dashboard-model.ts';
import { VisibleText } from '../VisibleText.tsx';
import { Outlines } from './Outlines.tsx';
import { showsNothing } from './one-colour.ts';

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
 * height, so that its arrival moves nothing. Surroundings in which there is nothing to see are replaced by the whole window.
 */
export function TargetPicture({ confirmationId, step, target, crop, model: { client } }: Props) {
  const [isWhole, setWhole] = useState(false);
  const hasWhole = crop?.whole !== undefined;
  const load = useCallback(async () => {
    const near = await client.targetPicture(confirmationId, { step });
    if (!near.ok || !hasWhole || !(await showsNothing(near.value))) return near;
    const whole = await client.targetPicture(confirmationId, { step, whole: true });
    if (!whole.ok) return near;
    setWhole(true);
    return whole;
  }, [client, confirmationId, step, hasWhole]);
  const { url, problem } = usePicture(load);
  const what = crop === undefined ? `The ${target}` : 'The place on the screen';
  const region = (isWhole ? crop?.whole : undefined) ?? crop?.region;
  return (
    <figure className="target">
      <div className="target-frame" style={shapeOf(crop)}>
        {url !== undefined && <img src={url} alt={`${what} as it is now`} />}
        {url !== undefined && crop !== undefined && region !== undefined && <Outlines {...crop} region={region} />}
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

/** As wide as its card, and as high as the picture is then. The size of a window is not known before its picture. */
function shapeOf(crop: Prompt['crop']): CSSProperties {
  const { width, height } = crop?.region ?? USUAL;
  return { aspectRatio: `${width} / ${height}` };
}

const USUAL = { width: 16, height: 10 };
