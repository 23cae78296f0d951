import { OpenAppParameters } from '../../contract/parameters.ts';
import { assessRisk } from '../risk.ts';
import { appNameFaults, appReference, appTarget } from './app-target.ts';
import { defineAction } from './definition.ts';
import { done } from './done.ts';

export const openApp = defineAction({
  name: 'OpenApp',
  summary: 'Opens an app, or brings it to the front, and checks that it is there',
  capability: 'canOpenApps',
  effectClass: 'idempotent',
  baseRisk: 'low',
  hint: 'The app may be open already.',
  isUsual: true,
  parameters: OpenAppParameters,
  targets: appReference,
  faults: appNameFaults,
  assess({ appName }) {
    const { rules, facts } = appTarget(appName);
    return {
      ...facts,
      risk: assessRisk(
        { level: 'low', reason: 'Opening an app changes nothing that closing it would not undo.' },
        rules,
      ),
      sentence: `Open the app “${appName}”`,
      ...done(appName, 'opened', ''),
      changes: 'Starts the app or brings it to the front; closing it undoes that.',
    };
  },
});
