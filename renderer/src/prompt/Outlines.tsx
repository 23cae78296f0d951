import type { Prompt } from '../../../src/contract/console.ts';

type Bounds = NonNullable<Prompt['crop']>['region'];

/** Room between a control and its outline, in the units of the displays. */
const ROOM = 3;

/** The outlines of the controls, and a ring around each point, drawn over the picture of their surroundings. It lies exactly on the picture: both are fitted into the same place. */
export function Outlines({ region, outlines, points }: NonNullable<Prompt['crop']>) {
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
