import type { DesktopEntry } from './desktop-entry-file.ts';
import { commandOf } from './exec-line.ts';
import type { Program } from './exec-programs.ts';

/** A risk in the command of an entry: "runs rm, which changes disks or deletes files". */
export type CommandRisk = { level: 'medium' | 'high'; what: string };

/** The risks of the programs that the command of a desktop entry runs, and of its arguments. */
export function commandRisks(entry: DesktopEntry, programs: readonly Program[]): CommandRisk[] {
  if (entry.exec === null) return [medium('is started over D-Bus, and its entry does not say which program runs')];
  const names = programs.flatMap((program) => program.names);
  const interpreter = names.find((name) => INTERPRETER.test(name));
  const launcher = names.find((name) => LAUNCHER.test(name));
  return [
    ...toolRisks(entry, names),
    ...(interpreter === undefined ? [] : [medium(`runs commands with ${interpreter}`)]),
    ...(launcher === undefined ? [] : [medium(`starts another program with ${launcher}`)]),
    ...argumentRisks(entry),
  ];
}

const INTERPRETER =
  /^(?:(?:ba|da|z|k|mk|c|tc|fi|a|pd|r|o|y)?sh|python|pypy|perl|ruby|node|nodejs|deno|bun|lua|luajit|php|tclsh|wish|expect|[gm]?awk|busybox|java|mono|dotnet|gjs|cjs|guile|rscript|script|xargs|screen|tmux|g?make|gdb|lldb|crontab|at|batch)[-\d.]*$/i;

/** Programs that start whatever their arguments name. */
const LAUNCHER =
  /^(?:gtk-launch|gio|gapplication|exo-open|xdg-open|dex|kioclient\d*|kde-open\d*|kstart\d*|systemd-run|dbus-send|gdbus|qdbus|busctl|sudo|pkexec|doas|su|gksu|gksudo|kdesu|kdesudo|flatpak-spawn|bwrap|chroot|unshare|nsenter|ssh|mosh|nc|socat|xdotool|ydotool)$/i;

/** Programs whose effect closing them does not undo. */
const TOOLS: readonly { names: RegExp; effect: string }[] = [
  {
    names:
      /^(?:systemctl|shutdown|poweroff|reboot|halt|init|telinit|kexec|rtcwake|service|rc-service|pm-(?:suspend|hibernate|powersave)|suspend|hibernate)$/i,
    effect: 'stops the computer or its services',
  },
  {
    names:
      /^(?:loginctl|p?kill|killall5?|xkill|skill|slay|logout|xlogout|wlogout|lxqt-leave|lxsession-logout|lxsession-default|(?:gnome|mate|cinnamon|xfce4|lxqt|budgie)-session-(?:quit|save|logout)|ksmserver-logout-greeter|ksmserver|i3-msg|swaymsg|hyprctl|bspc|openbox|fluxbox-remote|dm-tool|gdmflexiserver)$/i,
    effect: 'ends sessions or programs',
  },
  {
    names:
      /^(?:(?:mkfs|fsck|mount|umount|mkswap)(?:\.[\w-]+)?|mke2fs|e2fsck|tune2fs|[cs]?f?disk|[cs]gdisk|gdisk|parted|wipefs|blkdiscard|badblocks|hdparm|nvme|losetup|cryptsetup|mdadm|lvm|(?:lv|vg|pv)(?:create|remove|change|resize)|udisksctl|swapo(?:n|ff)|eject|dd|dcfldd|shred|srm|wipe|rm|rmdir|unlink|truncate|mv|rsync)$/i,
    effect: 'changes disks or deletes files',
  },
  {
    names:
      /^(?:apt|apt-get|apt-key|aptitude|aptdcon|dpkg|dpkg-reconfigure|gdebi(?:-gtk)?|synaptic|dnf5?|yum|rpm|zypper|pacman|pamac(?:-manager)?|yay|paru|apk|xbps-(?:install|remove)|emerge|snap|snap-store|flatpak|pkcon|packagekit|gnome-software|plasma-discover|muon|mintinstall|update-manager|software-properties-gtk|nix(?:-env)?|guix|brew|pipx?|npm|pnpm|yarn|gem|cargo|conda)[-\d.]*$/i,
    effect: 'installs or removes programs',
  },
];

/** Messages over D-Bus that do the same. */
const POWER_MESSAGE =
  /^(?:org\.freedesktop\.(?:login1|ConsoleKit|UPower|PackageKit|UDisks2|systemd1)|org\.(?:gnome|mate|xfce|cinnamon)\.Session|org\.kde\.(?:Shutdown|LogoutPrompt|ksmserver|KSMServer))/i;

function toolRisks(entry: DesktopEntry, names: readonly string[]): CommandRisk[] {
  const found = TOOLS.flatMap(({ names: tools, effect }) => {
    const name = names.find((each) => tools.test(each) && !(each === 'flatpak' && isFlatpakApp(entry)));
    return name === undefined ? [] : [high(`runs ${name}, which ${effect}`)];
  });
  const message = names.find((name) => POWER_MESSAGE.test(name));
  if (message === undefined) return found;
  return [...found, high(`calls ${message}, which ends sessions or stops the computer`)];
}

/** The command of a usual app is a program, settings in front of it, and codes for the files that it is to open. */
function argumentRisks(entry: DesktopEntry): CommandRisk[] {
  const command = commandOf(entry);
  if (command === null) return [medium('has a command that cannot be read')];
  const [, ...args] = withoutSettings(command);
  const ownIcon = entry.icon === null ? [] : ['--icon', entry.icon];
  const own = args.filter((arg) => arg !== '' && !ownIcon.includes(arg) && arg !== entry.name && arg !== entry.path);
  return own.length === 0 || isFlatpakApp(entry) ? [] : [medium('gives its program arguments of its own')];
}

/** Settings by which a program loads or runs something else. */
const LOADING =
  /^(?:LD_|PATH=|BASH_ENV=|ENV=|PYTHON|PERL|RUBY|NODE_|JAVA_|_JAVA|GTK_MODULES=|GTK_PATH=|QT_PLUGIN_PATH=|GIO_)/;

/** `env A=1 app` is `app`; an option of `env` is an argument. */
function withoutSettings(command: readonly string[]): readonly string[] {
  if (command[0]?.replace(/^.*\//u, '') !== 'env') return command;
  const first = command.findIndex((word, at) => at > 0 && (!/^[A-Za-z_]\w*=/.test(word) || LOADING.test(word)));
  return first < 0 || command[first]?.startsWith('-') === true || LOADING.test(command[first] ?? '')
    ? command
    : command.slice(first);
}

/** The command that Flatpak itself writes into the entries of its apps. The app runs in its sandbox. */
function isFlatpakApp(entry: DesktopEntry): boolean {
  const [program = '', verb, ...args] = withoutSettings(commandOf(entry) ?? []);
  if (!/^(?:\/usr\/bin\/)?flatpak$/.test(program) || verb !== 'run') return false;
  return args.every((arg) => FLATPAK_ARGUMENT.test(arg)) && args.filter((arg) => FLATPAK_ID.test(arg)).length === 1;
}

const FLATPAK_ID = /^[A-Za-z_][\w-]*(?:\.[\w-]+){2,}$/;
const FLATPAK_ARGUMENT =
  /^(?:--(?:branch|arch)=[\w.-]+|--command=[\w.-]+|--file-forwarding|@@u?|[A-Za-z_][\w-]*(?:\.[\w-]+){2,}|)$/;

function high(what: string): CommandRisk {
  return { level: 'high', what };
}

function medium(what: string): CommandRisk {
  return { level: 'medium', what };
}
