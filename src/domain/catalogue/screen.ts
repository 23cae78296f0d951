import type { Display } from '../../contract/device.ts';
import { DescribeScreenParameters, TakeScreenshotParameters } from '../../contract/parameters.ts';
import type { SchemaFault } from '../../contract/schema-faults.ts';
import type { ResolvedWindow } from '../../contract/screen.ts';
import { assessRisk } from '../risk.ts';
import { defineAction } from './definition.ts';
import { lookInto, windowIn, windowSentence } from './window-words.ts';

/**
 * The person reads the name of the display in the prompt, so it must be a display that the device has. Without a list of
 * displays the name is not checked here, and the agent checks it.
 */
export function displayFaults(display: string | undefined, displays: readonly Display[] = []): SchemaFault[] {
  if (display === undefined || displays.length === 0 || displays.some(({ id }) => id === display)) return [];
  const known = displays.map(({ id, primary }) => (primary ? `${id} (the main one)` : id)).join(', ');
  return [{ pointer: '/display', message: `expected a display of the device: ${known}` }];
}

/** The same text for the main display, be it named or not. */
export function displayTarget(display: string | undefined, displays: readonly Display[] = []): string {
  const main = displays.find(({ primary }) => primary);
  return display === undefined || display === main?.id ? 'the main display' : `display ${display}`;
}

export const describeScreen = defineAction({
  name: 'DescribeScreen',
  summary: 'Lists displays, apps, windows and labels of controls; with `contents` also what they say',
  capability: null,
  effectClass: 'pure',
  baseRisk: 'low',
  hint: 'Look before you act.',
  isUsual: true,
  untold: ['format', 'maxElements'],
  forModels: { format: 'text' },
  narrowing: ['maxElements', 'format', 'depth', 'region', 'bounds', 'since', 'settle'],
  isCapture: true,
  parameters: DescribeScreenParameters,
  targets(parameters) {
    const windowId = windowRead(parameters);
    return windowId === undefined ? [] : [{ kind: 'window', windowId }];
  },
  faults({ display, format, depth, region, bounds, since }, { displays }) {
    const ofText = { depth, region, bounds, since };
    const named = format === 'text' ? [] : Object.entries(ofText).filter(([, value]) => value !== undefined);
    const misplaced = named.map(([name]) => ({ pointer: `/${name}`, message: 'needs format "text"' }));
    return [...displayFaults(display, displays), ...misplaced];
  },
  assess(parameters, { targets, displays }) {
    const { contents, display } = parameters;
    const window = windowRead(parameters) === undefined ? undefined : windowIn(targets);
    const place = display === undefined ? 'the screen' : `display “${display}”`;
    return {
      risk: assessRisk(
        { level: 'low', reason: 'Naming apps, windows and controls changes nothing and shows no contents.' },
        contents ? [{ level: 'medium', reason: 'The texts on a screen are as private as its pixels.' }] : [],
      ),
      capability: contents ? 'canCaptureScreen' : null,
      sentence: contents
        ? `Read ${window === undefined ? `everything shown on ${place}` : `the texts of the window ${windowSentence(window)}`}`
        : `List apps, windows and controls on ${place}`,
      showsContents: contents === true,
      target: null,
      denialTarget: `${contents ? 'contents' : 'names'} of ${display === undefined ? 'every display' : displayTarget(display, displays)}`,
      apps: [],
      paths: [],
      ...(window !== undefined && { onceOnly: true, isPartOfWider: true, ...lookInto(window) }),
      changes: 'Changes nothing; a text that was read cannot be unread.',
    };
  },
});

/** The window whose texts alone are told, as text. */
function windowRead({ contents, format, region }: DescribeScreenParameters): string | undefined {
  return contents === true && format === 'text' && region?.startsWith('@') === false ? region : undefined; // guard N22-2
}

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
      risk: assessRisk({ level: 'medium', reason: 'A picture shows everything that is on the screen.' }), // guard A7-1
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
