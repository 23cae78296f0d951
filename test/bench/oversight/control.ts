import type { Control } from '../../../src/contract/screen.ts';
import { isBrowser } from '../../../src/contract/web-address.ts';
import { appNamed } from '../../domain/with-access.ts';
import type { OversightRecord } from './data.ts';
import { appOf } from './score.ts';

/**
 * The control that a record of input aims at, as an agent would find it on a real screen. The source says app, address, role and name as
 * far as it knows them; where it says no role, a text is taken to go into a field, since keys go nowhere else.
 */
export function controlOf(record: OversightRecord): Control {
  const { actionType, target = {} } = record;
  const { app = appOf(record), window = '', role, name = '', url, password = false } = target;
  const isField = role === 'textbox' || (role === undefined && (password || actionType === 'TypeText'));
  const found = appNamed(app);
  // A browser tells the address of each of its documents; the source often leaves it out.
  const page = url ?? 'http://task.example/';
  return {
    app: found,
    pid: 1,
    windowId: 'w1',
    windowTitle: window,
    bounds: null,
    name,
    isOwn: false,
    role: role ?? (isField ? 'textbox' : 'window'),
    isPassword: password,
    isEditable: isField,
    ...(isBrowser(found) && { url: page, documents: [page] }),
  };
}

/** The parameters of a record, with the place that the source leaves out: the element that it describes. */
export function withPlace({ actionType, parameters }: OversightRecord): Record<string, unknown> {
  const needsPlace = actionType === 'Click' || actionType === 'Scroll';
  return needsPlace && parameters.x === undefined ? { ...parameters, elementId: 'target' } : parameters;
}
