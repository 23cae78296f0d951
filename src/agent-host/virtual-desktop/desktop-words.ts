import { needsVirtualDesktop } from './virtual-desktop.ts';

/** Says in words which desktop the agent works on, for the person who starts Handrail. */
export function desktopWords(platform: NodeJS.Platform, environment: NodeJS.ProcessEnv): string {
  const { DISPLAY: display = '', HANDRAIL_AGENT_DRIVER: driver } = environment;
  if (driver === 'fake') return 'simulated, for tests';
  if (needsVirtualDesktop(platform, environment)) return 'a private virtual one, because DISPLAY is not set';
  if (platform === 'darwin') return 'yours, on this Mac';
  if (display === '') return 'none: this Wayland session has no X11 display, which Handrail needs';
  return `yours, on the display ${display}`;
}
