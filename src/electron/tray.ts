import type { MenuItemConstructorOptions } from 'electron';
import { createChanges } from '../shell/changes.ts';
import { type MenuCommand, type MenuLine, menuOf } from '../shell/menu.ts';
import { type ShellFacts, type TrayStatusName, trayStatusOf } from '../shell/tray-status.ts';
import type { Surface } from './surface.ts';

type Options = {
  electron: Pick<Surface, 'Tray' | 'Menu'>;
  /** The file of the template image for each state. */
  image(state: TrayStatusName): string;
  command(command: MenuCommand): void;
};

/** The icon in the menu bar, with its menu. */
export function createTray({ electron, image, command }: Options) {
  const tray = new electron.Tray(image('idle'));
  const hasChanged = createChanges();
  return {
    show(facts: ShellFacts): void {
      const trayStatus = trayStatusOf(facts);
      const lines = menuOf(facts);
      // A menu that is open would close when it is set anew, so only a change sets it.
      if (!hasChanged([trayStatus, lines])) return;
      tray.setImage(image(trayStatus.name));
      tray.setTitle(trayStatus.count === 0 ? '' : String(trayStatus.count));
      tray.setToolTip(`Handrail: ${trayStatus.words}`);
      tray.setContextMenu(electron.Menu.buildFromTemplate(lines.map((line) => itemOf(line, command))));
    },
    /** Replaces the menu while running actions end. */
    showQuitting(): void {
      tray.setTitle('');
      tray.setToolTip(QUITTING);
      tray.setContextMenu(electron.Menu.buildFromTemplate([{ label: QUITTING, enabled: false }]));
    },
    destroy: (): void => tray.destroy(),
  };
}

const QUITTING = 'Handrail is quitting: it waits for running actions to end';

function itemOf(line: MenuLine, command: (command: MenuCommand) => void): MenuItemConstructorOptions {
  switch (line.kind) {
    case 'line':
      return { type: 'separator' };
    case 'text':
      return { label: line.text, enabled: false };
    case 'command': {
      const checked = line.isChecked === undefined ? {} : ({ type: 'checkbox', checked: line.isChecked } as const);
      const shortcut = line.shortcut === undefined ? {} : { accelerator: line.shortcut };
      return { label: line.text, ...checked, ...shortcut, click: () => command(line.command) };
    }
  }
}
