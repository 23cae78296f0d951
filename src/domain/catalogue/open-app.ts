import { appNameObjection } from '../../contract/app-name.ts';
import { OpenAppParameters } from '../../contract/parameters.ts';
import { assessRisk } from '../risk.ts';
import { isHandrail, sensitivity } from '../sensitive-apps.ts';
import { defineAction } from './definition.ts';

export const openApp = defineAction({
  name: 'OpenApp',
  summary: 'Opens an app, or brings it to the front, and checks that it is there',
  capability: 'canOpenApps',
  effectClass: 'idempotent',
  baseRisk: 'low',
  parameters: OpenAppParameters,
  faults({ appName }) {
    const objection = appNameObjection(appName);
    return objection === undefined
      ? []
      : [{ pointer: '/appName', message: `expected the name of an app, and this ${objection}` }];
  },
  assess({ appName }) {
    const kind = sensitivity(appName);
    return {
      risk: assessRisk(
        { level: 'low', reason: 'Opening an app changes nothing that closing it would not undo.' },
        kind === undefined
          ? []
          : [{ level: 'high', reason: `${appName} is ${kind}: whoever controls it controls more than one app.` }],
      ),
      capability: 'canOpenApps',
      sentence: `Open the app ${appName}`,
      target: appName,
      changes: 'Starts the app or brings it to the front; closing it undoes that.',
      ...(isHandrail(appName) ? { forbidden: 'Handrail itself can never be the target of an action.' } : {}),
    };
  },
});
