import { QuitAppParameters } from '../../contract/parameters.ts';
import { assessRisk } from '../risk.ts';
import { appNameFaults, appReference, appTarget } from './app-target.ts';
import { defineAction } from './definition.ts';
import { done } from './done.ts';

export const quitApp = defineAction({
  name: 'QuitApp',
  summary: 'Asks an app to close, as its own menu would; it is never killed',
  capability: 'canOpenApps',
  effectClass: 'once',
  baseRisk: 'medium',
  hint: 'Unsaved work may bring up a dialog of the app.',
  isUsual: true,
  isIrreversible: true,
  parameters: QuitAppParameters,
  targets: appReference,
  faults: appNameFaults,
  assess({ appName }) {
    const { rules, facts } = appTarget(appName);
    return {
      ...facts,
      risk: assessRisk({ level: 'medium', reason: 'An app that closes may take unsaved work with it.' }, rules),
      sentence: `Quit the app “${appName}”`,
      ...done(appName, 'quit', ''),
      changes: 'Asks the app to close. The app may ask about unsaved work; work that it drops is lost.',
    };
  },
});
