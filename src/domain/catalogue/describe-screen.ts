import { DescribeScreenParameters } from '../../contract/parameters.ts';
import { assessRisk } from '../risk.ts';
import { defineAction } from './definition.ts';
import { displayFaults, displayTarget } from './display-choice.ts';
import { lookInto, windowIn, windowSentence } from './window-words.ts';

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
  return contents === true && format === 'text' && region?.startsWith('@') === false ? region : undefined;
}
