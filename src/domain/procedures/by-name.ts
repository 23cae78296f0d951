import { type ControlName, idByName } from '../../contract/control-name.ts';
import type { ResolvedApp } from '../../contract/screen.ts';
import type { Target } from '../../contract/targets.ts';

/** A control as its name alone tells of it. `app`: the app behind the name, where it was looked up. */
export function targetByName(name: ControlName, app?: ResolvedApp): Target {
  return {
    kind: 'element',
    elementId: idByName(name),
    control: {
      app: app ?? { appName: name.app, alsoKnownAs: [], risks: [] },
      pid: null,
      windowId: null,
      windowTitle: name.window ?? '',
      role: name.role,
      name: name.name,
      bounds: null,
      isPassword: false,
      isEditable: EDITABLE.has(name.role),
      ...(name.site !== undefined && { url: `https://${name.site}/`, documents: [`https://${name.site}/`] }),
      isOwn: false,
    },
  };
}

const EDITABLE: ReadonlySet<string> = new Set(['textbox', 'searchbox', 'combobox', 'spinbutton']);
