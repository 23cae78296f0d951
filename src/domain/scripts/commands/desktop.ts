import { type Call, type Handler, type Handlers, readArguments } from '../call.ts';
import { type Danger, listed, shortened } from '../finding.ts';

/** Programs that change the desktop, the clock, the disks and the traces that programs leave, and those that outlive a script. */
export const DESKTOP_COMMANDS: Handlers = {
  ...each('stops', {
    'switches off or changes the screen': ['xrandr', 'xset', 'wlr-randr', 'brightnessctl', 'xbacklight', 'ddcutil'],
    'changes the sound': ['amixer', 'pactl', 'pamixer', 'wpctl'],
    'ends the session of the desktop': [
      'gnome-session-quit',
      'xfce4-session-logout',
      'mate-session-save',
      'lxsession-logout',
    ],
    'locks the screen': ['xdg-screensaver', 'i3lock', 'xlock', 'slock', 'swaylock', 'gnome-screensaver-command'],
    'sends shut-downs or other commands to the desktop': ['qdbus', 'dbus-send', 'gdbus', 'busctl'],
    'fills the disk': ['fallocate', 'mkfile'],
  }),
  ...each('changes', {
    'changes which programs open files or addresses': ['xdg-settings', 'xdg-mime', 'update-alternatives', 'duti'],
    'changes the settings in the file': ['crudini', 'augtool', 'yq'],
    'changes the time of the computer': ['timedatectl', 'hwclock', 'ntpdate', 'systemsetup', 'chronyc'],
  }),
  ...each('protection', {
    'gives other programs or computers the permission to use the display': [
      'xhost',
      'xauth',
      'x11vnc',
      'vncserver',
      'vino-preferences',
      'wayvnc',
    ],
  }),
  ...each('hides', {
    'changes or lists the log of who was logged in': ['utmpdump'],
    'hides data in another file': ['steghide', 'outguess', 'stegosuite', 'zsteg'],
    'removes or changes the facts stored in': ['exiftool', 'mat2', 'exiv2'],
    'replaces the log files, so that older ones are deleted': ['logrotate', 'newsyslog'],
  }),
  ...each('installs', {
    'installs an extension of the desktop': ['gnome-extensions', 'kpackagetool5', 'kpackagetool6', 'plasmapkg2'],
    'adds a place from which programs are installed': ['add-apt-repository', 'apt-key', 'apt-add-repository'],
  }),
  ...each('sends', {
    'sends files or a mail': [
      'xdg-email',
      'croc',
      'wormhole',
      'magic-wormhole',
      'ffsend',
      'kdeconnect-cli',
      'telegram-send',
      'ntfy',
      'signal-cli',
    ],
    'sends data to another computer': ['httpie', 'xh', 'curlie', 'grpcurl', 'websocat', 'mosquitto_pub'],
  }),
  ...each('looks', {
    'lists the installed programs': ['dpkg-query', 'compgen', 'rpmquery'],
    'lists networks or listens to them': [
      'airodump-ng',
      'kismet',
      'wash',
      'bluetoothctl',
      'hcitool',
      'nbtscan',
      'fping',
    ],
  }),
  ...Object.fromEntries(['vim', 'vi', 'nvim', 'emacs', 'nano', 'pico', 'joe', 'sponge'].map((name) => [name, edits])),
  ...Object.fromEntries(
    ['nohup', 'disown', 'tmux', 'screen', 'daemonize', 'start-stop-daemon'].map((name) => [name, outlives]),
  ),
  dmesg: (call) =>
    call.args.some((arg) => /^-\w*[cC]|^--(?:read-)?clear/u.test(arg))
      ? call.note('hides', 'deletes the log of the kernel (dmesg)')
      : call.note('looks', 'reads the log of the kernel (dmesg)'),
  date: (call) => {
    if (call.args.some((arg) => /^(?:-s|--set)/u.test(arg) || /^\d{8,}/u.test(arg)))
      call.note('changes', `changes the time of the computer (date ${shortened(call.args.join(' '))})`);
  },
  'flatpak-spawn': (call) => call.run(readArguments(call.args).operands),
};

type Subjects = Readonly<Record<string, readonly string[]>>;

/** The words, with the command as it was written. */
function each(danger: Danger, subjects: Subjects): Handlers {
  const handlerOf =
    (words: string): Handler =>
    (call) =>
      call.note(danger, `${words} (${shortened([call.name, ...call.args].join(' '))})`);
  return Object.fromEntries(
    Object.entries(subjects).flatMap(([words, names]) => names.map((name) => [name, handlerOf(words)] as const)),
  );
}

/** An editor that gets its commands from the script. */
function edits(call: Call) {
  const { operands } = readArguments(call.args, { letters: 'cSsu', words: ['eval', 'cmd'] });
  for (const path of operands.filter((each) => !each.startsWith('+'))) call.writes(path, 'changes');
}

/** What is started so goes on after the script and its terminal. */
function outlives(call: Call) {
  const words = listed([call.args.filter((arg) => !arg.startsWith('-')).join(' ')]);
  call.note('persists', `starts a program that goes on after the script (${shortened(`${call.name} ${words}`)})`);
}
