import { type CSSProperties, useCallback, useState } from 'react';
import type { Prompt } from '../../../src/contract/console.ts';
import { isOneColour } from '../../../src/contract/pictures.ts';
import { usePicture } from '../activity/use-picture.ts';
import type { DashboardModel } from '../dashboard-model.ts';
import { VisibleText } from '../VisibleText.tsx';

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

type Bounds = NonNullable<Prompt['crop']>['region'];

/** Room between a control and its outline, in the units of the displays. */
const ROOM = 3;

/** The outlines of the controls, and a ring around each point, drawn over the picture of their surroundings. It lies exactly on the picture: both are fitted into the same place. */
function Outlines({ region, outlines, points }: NonNullable<Prompt['crop']>) {
  const viewBox = [region.x, region.y, region.width, region.height].join(' ');
  // The inner one cuts lines off at the edges of the picture.
  return (
    <svg className="outlines" viewBox={viewBox} aria-hidden="true">
      <svg {...region} viewBox={viewBox} aria-hidden="true">
        {LAYERS.map((layer) => (
          <g key={layer} className={layer}>
            {outlines
              .filter((outline) => isInside(outline, region))
              .map((outline) => (
                <rect key={JSON.stringify(outline)} rx={ROOM} {...around(outline)} />
              ))}
            {points.map((point) => (
              <circle key={JSON.stringify(point)} cx={point.x} cy={point.y} r={9} />
            ))}
          </g>
        ))}
      </svg>
    </svg>
  );
}

/** A light line below a dark one shows on any background. */
const LAYERS = ['outline-halo', 'outline-line'] as const;

function around({ x, y, width, height }: Bounds): Bounds {
  return { x: x - ROOM, y: y - ROOM, width: width + 2 * ROOM, height: height + 2 * ROOM };
}

/** Whether some edge of a control can be seen in the picture. */
function isInside({ x, y, width, height }: Bounds, region: Bounds): boolean {
  const isBeside =
    x > region.x + region.width || x + width < region.x || y > region.y + region.height || y + height < region.y;
  const isAround =
    x <= region.x && y <= region.y && x + width >= region.x + region.width && y + height >= region.y + region.height;
  return !isBeside && !isAround;
}

/** Whether an encoded picture shows nothing. One that cannot be read counts as a picture that shows something. */
async function showsNothing(picture: Blob): Promise<boolean> {
  const bitmap = await createImageBitmap(picture).catch(() => undefined);
  if (bitmap === undefined) return false;
  const { width, height } = bitmap;
  const drawing = new OffscreenCanvas(width, height).getContext('2d');
  drawing?.drawImage(bitmap, 0, 0);
  bitmap.close();
  return drawing !== null && isOneColour(drawing.getImageData(0, 0, width, height).data);
}
