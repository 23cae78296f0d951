import { ACCESSIBILITY_COMMAND } from '../../../src/contract/accessibility-words.ts';
import type { DashboardModel } from '../dashboard-model.ts';

/** For a Linux desktop on which accessibility is off: what that means, and the switch. */
export function AccessibilitySwitch({ model }: { model: DashboardModel }) {
  return (
    <>
      <p className="hint">
        While accessibility is off on this desktop, apps built on Chromium, Electron and Qt tell Handrail nothing of
        their windows. They look at the switch as they start, so close and start again a browser or app that is open.
      </p>
      <div className="card-buttons">
        <SwitchButton model={model} />
      </div>
      <p className="hint">
        The button switches it on for this session. To make it last, run <code>{ACCESSIBILITY_COMMAND}</code>; a desktop
        with the settings of GNOME keeps it by itself. The same command with <code>false</code> switches it off.
      </p>
    </>
  );
}

export function SwitchButton({ model: { act, client } }: { model: DashboardModel }) {
  const done = 'Accessibility is on. Start apps that are open again.';
  return (
    <button type="button" onClick={() => void act(client.switchAccessibilityOn(), done)}>
      Switch accessibility on
    </button>
  );
}
