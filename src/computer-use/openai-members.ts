import { type Members, pictureOf, screenshot, waitingFor, waitOf } from './member.ts';
import type { PictureLimits } from './picture-size.ts';

export const OPENAI_PICTURE: PictureLimits = { width: 1_440, height: 1_440, pixels: Number.POSITIVE_INFINITY };

/** The schema gives a wait no length. */
const WAIT_SECONDS = 2;

/** The actions of the tool `computer`. Each answers with a picture. */
export const OPENAI_MEMBERS: Members = new Map([
  ['screenshot', screenshot],
  ['wait', { steps: (_input, view) => [waitOf(WAIT_SECONDS), pictureOf(view)] }],
  ...waitingFor({
    Click: ['click', 'double_click'],
    MovePointer: ['move'],
    Drag: ['drag'],
    Scroll: ['scroll'],
    TypeText: ['type'],
    PressKeys: ['keypress'],
  }),
]);
