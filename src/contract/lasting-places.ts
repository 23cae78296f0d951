import { MAX_PATH_LENGTH } from './files.ts';
import { comparablePath } from './secret-paths.ts';
import { isOfPackages, settingsEffectAt } from './settings-places.ts';

/** `below` must stand in the path behind the first match of `paths`: one pattern for both would take quadratic time. */
type Place = { paths: RegExp; below?: RegExp; effect: string };

/** Nothing at such a place starts by itself: somebody calls it by its name. */
const CALLED = 'from which programs start';

/** Files and folders that make programs run later, or let somebody in later. Paths are compared in lower case. */
const LASTING_PLACES: readonly Place[] = [
  {
    paths:
      /(?:^|\/)\.(?:bash_?(?:rc|profile|login|logout|aliases)|profile|z(?:shrc|shenv|profile|login|logout)|kshrc|cshrc|tcshrc|login|inputrc|xprofile|xinitrc|xsession(?:rc)?|pam_environment)$|(?:^|\/)\.config\/fish(?:\/|$)|^\/etc\/(?:profile(?:\.d(?:\/|$)|$)|bash\.bashrc|bashrc|zsh(?:rc|env)?(?:\/|$)|environment$|skel(?:\/|$))/u,
    effect: 'which runs each time a shell or a session starts',
  },
  {
    paths:
      /(?:^|\/)\.config\/(?:autostart|upstart)(?:\/|$)|^\/etc\/xdg\/autostart(?:\/|$)|(?:^|\/)library\/(?:launchagents|launchdaemons|startupitems|loginplugins)(?:\/|$)|(?:^|\/)\.config\/plasma-workspace\/env(?:\/|$)/u,
    effect: 'which starts programs at each login',
  },
  {
    paths:
      /(?:^|\/)systemd\/(?:system|user)(?:\/|$)|(?:^|\/)etc\/(?:init(?:\.d|tab)?|rc\.(?:local|d)|rc\d?\.d)(?:\/|$)|(?:^|\/)dbus-1\/(?:system-)?services(?:\/|$)|^\/etc\/udev\/rules\.d(?:\/|$)/u,
    effect: 'which starts programs with the computer',
  },
  {
    paths:
      /^\/etc\/(?:cron(?:tab|\.\w+)|anacrontab|at\.allow)(?:\/|$)|^\/(?:private\/)?var\/(?:spool\/(?:cron|at)|at)(?:\/|$)|(?:^|\/)crontab$/u,
    effect: 'which runs programs at set times',
  },
  {
    paths: /(?:^|\/)authorized_keys2?$|^\/etc\/ssh(?:\/|$)|(?:^|\/)\.rhosts$|(?:^|\/)\.shosts$/u,
    effect: 'which decides who can log in from another computer',
  },
  {
    paths:
      /(?:^|\/)\.git\/hooks(?:\/|$)|(?:^|\/)\.gitconfig$|(?:^|\/)\.config\/git(?:\/|$)|(?:^|\/)\.git\/config$|(?:^|\/)\.husky(?:\/|$)|(?:^|\/)\.vscode\/(?:tasks|settings)\.json$|(?:^|\/)\.ssh\/(?:rc|config)$/u,
    effect: 'from which other programs start commands',
  },
  {
    paths:
      /^\/etc\/(?:ld\.so\.(?:preload|conf)|pam\.d)|(?:^|\/)(?:site|user)customize\.py$|\.pth$|(?:^|\/)\.pam_environment$/u,
    effect: 'which programs load when they start',
  },
  {
    paths:
      /(?:^|\/)\.(?:g?vimrc|exrc|emacs|tmux\.conf|screenrc|gdbinit|lldbinit|irbrc|pryrc|rprofile|pythonrc|pdbrc|psqlrc|sqliterc|hammerspoon)(?:\/|$)|(?:^|\/)\.emacs\.d(?:\/|$)|(?:^|\/)\.jupyter(?:\/|$)|(?:^|\/)\.config\/(?:tmux|direnv|kitty|i3|sway|hypr|openbox|awesome)(?:\/|$)|(?:^|\/)library\/(?:application scripts|input methods|services|quicklook|internet plug-ins|privilegedhelpertools)(?:\/|$)/u,
    effect: 'from which a program starts commands when it starts',
  },
  {
    paths: /(?:^|\/)(?:\.vim|nvim)\//u,
    below: /[^/]\.(?:vim|lua)$/u,
    effect: 'from which a program starts commands when it starts',
  },
  {
    paths: /(?:^|\/)\.ipython\//u,
    below: /startup(?:\/|$)/u,
    effect: 'from which a program starts commands when it starts',
  },
  {
    paths: /^\/etc\/(?:hosts|resolv\.conf|nsswitch\.conf)$/u,
    effect: 'which decides where addresses of the network lead',
  },
  {
    paths: /(?:^|\/)(?:\.local\/bin|bin|sbin)\/[^/]+$|(?:^|\/)applications\/[^/]+\.(?:app|desktop)(?:\/|$)/u,
    effect: CALLED,
  },
];

/**
 * Why a change at this path has an effect later: "which starts programs at each login". No system opens a path that is longer than
 * `MAX_PATH_LENGTH`, so a longer one has no effect.
 */
export function lastingEffectAt(path: string): string | undefined {
  if (path.length > MAX_PATH_LENGTH) return undefined;
  const name = comparablePath(path);
  return LASTING_PLACES.find((place) => isAt(place, name))?.effect ?? settingsEffectAt(name);
}

function isAt({ paths, below }: Place, name: string): boolean {
  const match = paths.exec(name);
  if (match === null) return false;
  return below === undefined || below.test(name.slice(match.index + match[0].length));
}

/** Whether something at this path starts without being called: every lasting effect, but for programs and the code of packages. */
export function startsByItself(path: string): boolean {
  const effect = lastingEffectAt(path);
  return effect !== undefined && effect !== CALLED && !isOfPackages(path);
}

/** Hidden folders, and the Library of a Mac: a file there can start programs later. */
const SETTINGS = /\/(?:\.[^/]|Library(?:\/|$))/u;

/** Whether programs obey settings that lie below this real path. Where a script may write there, its approval says so. */
export function holdsSettings(path: string): boolean {
  return SETTINGS.test(path) || lastingEffectAt(path) !== undefined;
}
