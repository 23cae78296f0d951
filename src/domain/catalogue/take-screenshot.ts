import type { Display } from '../../contract/device.ts';
import { TakeScreenshotParameters } from '../../contract/parameters.ts';
import type { ResolvedWindow } from '../../contract/screen.ts';
import { assessRisk } from '../risk.ts';
import { defineAction } from './definition.ts';
import { displayFaults, displayTarget } from './display-choice.ts';
import { lookInto, windowIn, windowSentence } from './window-words.ts';

export const takeScreenshot = defineAction({
  name: 'TakeScreenshot',
  summary: 'Takes a picture of a display, a window or a region',
  capability: 'canCaptureScreen',
  effectClass: 'pure',
  baseRisk: 'medium',
  hint: 'Give one of display, region and windowId. describe_screen is faster and asks nobody.',
  isUsual: true,
  untold: ['format', 'quality', 'maxWidth', 'maxEdge', 'maxPixels'],
  // The picture that a model sees is then the whole one, and a pixel in it is a pixel of its frame.
  forModels: { maxEdge: 1_568 },
  narrowing: ['format', 'quality', 'maxWidth', 'maxEdge', 'maxPixels'],
  isCapture: true,
  parameters: TakeScreenshotParameters,
  targets: ({ windowId }) => (windowId === undefined ? [] : [{ kind: 'window', windowId }]),
  faults({ region, windowId, display }, { displays }) {
    const places = [region, windowId, display].filter((place) => place !== undefined);
    const several = [{ pointer: '', message: 'give one of display, region and windowId, not several' }];
    return places.length > 1 ? several : displayFaults(display, displays);
  },
  assess(parameters, { targets, displays }) {
    return {
      risk: assessRisk({ level: 'medium', reason: 'A picture shows everything that is on the screen.' }),
      capability: 'canCaptureScreen',
      sentence: `Take a screenshot of ${placeOf(parameters, windowIn(targets))}`,
      // Another window may have the id tomorrow.
      ...(parameters.windowId !== undefined && { onceOnly: true }),
      region: parameters.region,
      showsContents: true,
      target: null,
      denialTarget: denialTargetOf(parameters, displays),
      apps: [],
      paths: [],
      ...lookInto(windowIn(targets)),
      changes: "Changes nothing. Once shared, the picture can't be recalled.",
    };
  },
});

function placeOf({ region, windowId, display }: TakeScreenshotParameters, window: ResolvedWindow | undefined): string {
  if (window !== undefined) return `the window ${windowSentence(window)}`;
  if (windowId !== undefined) return `window “${windowId}”`;
  if (region !== undefined) return `the region ${region.width} × ${region.height} at ${region.x}, ${region.y}`;
  return display === undefined ? 'the main display' : `display “${display}”`;
}

/** Every region is one target: a denied region must not be asked for again one pixel wider. */
function denialTargetOf(
  { region, windowId, display }: TakeScreenshotParameters,
  displays?: readonly Display[],
): string {
  if (windowId !== undefined) return `window ${windowId}`;
  return region === undefined ? displayTarget(display, displays) : 'a region';
}
