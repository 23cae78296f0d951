import { isWantedAfterFlip, type LoginItem, loginItemOf } from '../shell/login-item.ts';
import type { Surface } from './surface.ts';

/** The pane of System Settings in which the person approves what opens at login. */
export const LOGIN_PANE = 'x-apple.systempreferences:com.apple.LoginItems-Settings.extension';

export type LoginItemSwitch = { read(): LoginItem; flip(): void };

/** Whether Handrail opens at login, and the switch for it. */
export function createLoginItem({ app }: Pick<Surface, 'app'>, platform: NodeJS.Platform): LoginItemSwitch {
  const type = 'mainAppService';
  const read = (): LoginItem =>
    platform === 'darwin' ? loginItemOf(app.getLoginItemSettings({ type })) : 'unavailable';
  return { read, flip: () => app.setLoginItemSettings({ openAtLogin: isWantedAfterFlip(read()), type }) };
}
