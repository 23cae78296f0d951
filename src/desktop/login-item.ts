import type { LoginItem } from '../shell/standing.ts';
import type { Surface } from './surface.ts';

/** The pane of System Settings in which the person approves what opens at login. */
export const LOGIN_PANE = 'x-apple.systempreferences:com.apple.LoginItems-Settings.extension';

export type LoginItemSwitch = { read(): LoginItem; flip(): void };

/** Whether Handrail opens at login. The state is read from the system, since the request may wait for the person's approval. */
export function createLoginItem({ app }: Pick<Surface, 'app'>, platform: NodeJS.Platform): LoginItemSwitch {
  const read = (): LoginItem => {
    if (platform !== 'darwin') return 'unavailable';
    const { status, openAtLogin } = app.getLoginItemSettings({ type: 'mainAppService' });
    if (status === 'requires-approval') return 'approve';
    return openAtLogin ? 'on' : 'off';
  };
  return {
    read,
    flip: () => app.setLoginItemSettings({ openAtLogin: read() !== 'on', type: 'mainAppService' }),
  };
}
