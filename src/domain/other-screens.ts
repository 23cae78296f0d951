import { plainName } from '../contract/app-name.ts';

/** Apps whose windows show another screen, through which an action could press Allow there. */
const OTHER_SCREENS: readonly string[] = [
  ...[
    'iphone mirroring',
    'com.apple.screencontinuity',
    'screen sharing',
    'com.apple.screensharing',
    'scrcpy',
    'qtscrcpy',
  ],
  ...[
    'remmina',
    'vinagre',
    'gnome connections',
    'connections',
    'krdc',
    'tigervnc viewer',
    'vncviewer',
    'xtigervncviewer',
  ],
  ...['realvnc viewer', 'vnc viewer', 'xfreerdp', 'wlfreerdp', 'rdesktop', 'microsoft remote desktop', 'windows app'],
  ...['teamviewer', 'anydesk', 'rustdesk', 'nomachine', 'parsec', 'moonlight', 'chrome remote desktop', 'jump desktop'],
  ...['virt-viewer', 'remote-viewer', 'spicy', 'gvncviewer', 'ssvnc', 'x2goclient'],
];

const KNOWN = new Set(OTHER_SCREENS);

/** Whether an app, by any of its names, shows another screen in its windows. Ids count by their whole name and their last part. */
export function showsOtherScreen(names: readonly string[]): boolean {
  return names.map(plainName).some((name) => KNOWN.has(name) || KNOWN.has(name.split('.').at(-1) ?? name));
}
