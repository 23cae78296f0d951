import type { DegradedReason, ScreenElement } from '../../../src/contract/screen.ts';
import { firstElements } from './list-marks.ts';

/** A description travels in one frame of at most 2 MiB; this leaves room for everything but the elements. */
const ELEMENTS_BYTES = 1_400_000;

/** Keeps as many elements as fit the frame; elements further behind are cut first, as with `maxElements`. */
export function elementsWithinFrame(elements: ScreenElement[]): {
  elements: ScreenElement[];
  degradedReasons: DegradedReason[];
} {
  let sizeBytes = 0;
  const end = elements.findIndex((element) => {
    sizeBytes += Buffer.byteLength(JSON.stringify(element)) + 1;
    return sizeBytes > ELEMENTS_BYTES;
  });
  return end === -1
    ? { elements, degradedReasons: [] }
    : { elements: firstElements(elements, end), degradedReasons: [FRAME_CUT] };
}

const FRAME_CUT: DegradedReason = {
  code: 'elements_cut',
  message: 'The screen has more elements than one answer can hold; the elements furthest behind are missing.',
  fix: 'Close windows that are not needed, or ask with a smaller maxElements.',
};
