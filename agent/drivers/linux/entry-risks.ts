import { constants, type Stats } from 'node:fs';
import { access, readlink, realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, delimiter, dirname, join, resolve } from 'node:path';
import type { AppRisk } from '../../../src/contract/screen.ts';
import type { AppIdentity } from '../apps/resolved-risk.ts';
import { commandOf, type DesktopEntry, isExecutable } from './desktop-entries.ts';
import { appEnvironment } from './launch.ts';

/** A risk in the command of an entry: "runs rm, which changes disks or deletes files". */
type CommandRisk = { level: 'medium' | 'high'; what: string };

/** A word of a command line that may be a program: its own name and those of everything it links to. */
type Program = {
  names: readonly string[];
  /** The file, each link on the way, and the file at the end; empty for a word that leads to no file. */
  files: readonly string[];
};

/** Longer lines than any real entry has are cut here. Each word costs a few file accesses. */
const MOST_WORDS = 100;
const MOST_LINKS = 20;

/**
 * All words of an Exec line are looked at, not only the first: `env`, `nohup` and their like run a later one, and so does a
 * shell line inside quotes. Options and settings are left out, and the values of options are not.
 */
export async function programsOf(entry: DesktopEntry, environment: NodeJS.ProcessEnv): Promise<Program[]> {
  const raw = (entry.exec ?? '').split(/[\s;&|()<>`]+/).map((word) => word.replace(/^["']+|["']+$/g, ''));
  const all = [...(commandOf(entry) ?? []), ...raw].map(withoutOption);
  const words = [...new Set(all)].filter(isPossibleProgram).slice(0, MOST_WORDS);
  const places = {
    folder: entry.workingDirectory ?? environment.HOME ?? homedir(),
    environment: appEnvironment(environment),
  };
  return Promise.all(words.map((word) => programOf(word, places)));
}

/** The value of an option such as `--command=sh` may be a program. */
function withoutOption(word: string): string {
  return /^--?[\w-]+=(.+)$/.exec(word)?.[1] ?? word;
}

function isPossibleProgram(word: string): boolean {
  return /^[^-%=\s][^=\s]*$/.test(word);
}

type Places = { folder: string; environment: NodeJS.ProcessEnv };

async function programOf(word: string, places: Places): Promise<Program> {
  const found = await fileOf(word, places);
  const files = found === null ? [] : await linksFrom(found);
  return { names: [...new Set([word, ...files].map((path) => basename(path)))], files };
}

/** A word with a slash is a path, any other is looked up in PATH as starting it would. */
async function fileOf(word: string, { folder, environment }: Places): Promise<string | null> {
  const { PATH: path = '' } = environment;
  const candidates = word.includes('/')
    ? [resolve(folder, word)]
    : path
        .split(delimiter)
        .filter((place) => place !== '')
        .map((place) => join(place, word));
  for (const candidate of candidates) if (await isExecutable(candidate, environment)) return candidate;
  return null;
}

/** Each name on the way counts: a link to x-terminal-emulator is a terminal, whichever program that one links to. */
async function linksFrom(file: string): Promise<string[]> {
  const files = [file];
  for (let at = file; files.length < MOST_LINKS; ) {
    const target = await readlink(at).catch(() => null);
    if (target === null) break;
    at = resolve(dirname(at), target);
    files.push(at);
  }
  const end = await realpath(file).catch(() => null);
  return [...new Set(end === null ? files : [...files, end])];
}

/** The risks of the programs that the command of a desktop entry runs, and of its arguments. */
function commandRisks(entry: DesktopEntry, programs: readonly Program[]): CommandRisk[] {
  if (entry.exec === null) return [mediumRisk('is started over D-Bus, and its entry does not say which program runs')];
  const names = programs.flatMap((program) => program.names);
  const interpreter = names.find((name) => INTERPRETER.test(name));
  const launcher = names.find((name) => LAUNCHER.test(name));
  return [
    ...toolRisks(entry, names), // guard A13-4
    ...(interpreter === undefined ? [] : [mediumRisk(`runs commands with ${interpreter}`)]), // guard A13-3
    ...(launcher === undefined ? [] : [mediumRisk(`starts another program with ${launcher}`)]),
    ...argumentRisks(entry), // guard A13-5
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
    return name === undefined ? [] : [highRisk(`runs ${name}, which ${effect}`)];
  });
  const message = names.find((name) => POWER_MESSAGE.test(name));
  if (message === undefined) return found;
  return [...found, highRisk(`calls ${message}, which ends sessions or stops the computer`)];
}

/** The command of a usual app is a program, settings in front of it, and codes for the files that it is to open. */
function argumentRisks(entry: DesktopEntry): CommandRisk[] {
  const command = commandOf(entry);
  if (command === null) return [mediumRisk('has a command that cannot be read')];
  const [, ...args] = withoutSettings(command);
  const ownIcon = entry.icon === null ? [] : ['--icon', entry.icon];
  const own = args.filter((arg) => arg !== '' && !ownIcon.includes(arg) && arg !== entry.name && arg !== entry.path);
  return own.length === 0 || isFlatpakApp(entry) ? [] : [mediumRisk('gives its program arguments of its own')];
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

function highRisk(what: string): CommandRisk {
  return { level: 'high', what };
}

function mediumRisk(what: string): CommandRisk {
  return { level: 'medium', what };
}

/** The risks of an app that its desktop entry reveals, beyond the names in it. */
async function entryRisks(
  entry: DesktopEntry,
  programs: readonly Program[],
  environment: NodeJS.ProcessEnv,
): Promise<AppRisk[]> {
  return [
    ...(entry.terminal ? [high(entry, 'runs in a terminal')] : []),
    ...categoryRisks(entry),
    ...menuRisks(entry), // guard A13-6
    ...commandRisks(entry, programs).map(({ level, what }) => (level === 'high' ? high : medium)(entry, what)),
    ...(await writableRisks(entry, { programs, environment })),
  ];
}

/** Registered categories of the Desktop Menu Specification that stand for sensitive kinds of apps. */
const SENSITIVE_CATEGORIES: ReadonlyMap<string, string> = new Map([
  ['TerminalEmulator', 'a terminal'], // guard A13-2
  ['RemoteAccess', 'a remote-desktop tool'],
  ['Settings', 'part of the system settings'],
]);

function categoryRisks(entry: DesktopEntry): AppRisk[] {
  return entry.categories.flatMap((category) => {
    const kind = SENSITIVE_CATEGORIES.get(category);
    return kind === undefined ? [] : [high(entry, `is ${kind}, by its menu category ${category}`)];
  });
}

/** The main categories of the Desktop Menu Specification. An app for a menu has one of them. */
const MAIN_CATEGORIES: ReadonlySet<string> = new Set([
  'AudioVideo',
  'Audio',
  'Video',
  'Development',
  'Education',
  'Game',
  'Graphics',
  'Network',
  'Office',
  'Science',
  'Settings',
  'System',
  'Utility',
]);

/** Entries that are in no menu are commands and handlers of the system rather than apps. */
function menuRisks(entry: DesktopEntry): AppRisk[] {
  const isInMenu = entry.categories.some(
    (category) => MAIN_CATEGORIES.has(category) || SENSITIVE_CATEGORIES.has(category),
  );
  return [
    ...(entry.noDisplay ? [medium(entry, 'is not meant to be opened from a menu')] : []),
    ...(isInMenu ? [] : [medium(entry, 'has no main menu category')]),
  ];
}

async function writableRisks(
  entry: DesktopEntry,
  { programs, environment }: { programs: readonly Program[]; environment: NodeJS.ProcessEnv },
): Promise<AppRisk[]> {
  const person = personOf(environment);
  const own = await realpath(entry.path).catch(() => entry.path);
  const [writableEntry, writableProgram] = await Promise.all([
    firstWritable([entry.path, own], person),
    firstWritable([...new Set(programs.flatMap(({ files }) => files))], person),
  ]);
  return [
    ...(writableEntry === undefined ? [] : [medium(entry, 'has a desktop entry that any program of yours can change')]), // guard A13-7
    ...(writableProgram === undefined ? [] : [medium(entry, 'runs a file that any program of yours can change')]),
  ];
}

function high({ name }: DesktopEntry, what: string): AppRisk {
  return { level: 'high', reason: `“${name}” ${what}.` };
}

function medium({ name }: DesktopEntry, what: string): AppRisk {
  return { level: 'medium', reason: `“${name}” ${what}.` };
}

/** The user whose programs could change a file: the user of this process, with the folders that belong to them. */
type Person = { uid: number; folders: readonly string[] };

function personOf(environment: NodeJS.ProcessEnv): Person {
  const { HOME: home = homedir(), XDG_DATA_HOME: dataHome = '' } = environment;
  return { uid: process.getuid?.() ?? 0, folders: [home, dataHome].filter((folder) => /^\/+[^/]/.test(folder)) };
}

/** The first file that the person's programs could change, or replace by another in its folder or in one above it. */
async function firstWritable(files: readonly string[], person: Person): Promise<string | undefined> {
  const answers = await Promise.all(files.map((file) => isWritable(file, person)));
  return files.find((_file, index) => answers[index]);
}

async function isWritable(file: string, person: Person): Promise<boolean> {
  if (person.folders.some((folder) => file.startsWith(`${folder.replace(/\/+$/, '')}/`))) return true;
  const answers = await Promise.all([file, ...foldersAbove(file)].map((path) => isOwn(path, person)));
  return answers.includes(true);
}

function foldersAbove(file: string): string[] {
  const folder = dirname(file);
  return folder === file ? [] : [folder, ...foldersAbove(folder)];
}

/**
 * Root may write everywhere. For root, a file counts as changeable if another user owns it, or if everybody may write it.
 * In a sticky folder such as /tmp only the owner of a file can replace it.
 */
async function isOwn(path: string, { uid }: Person): Promise<boolean> {
  const status = await stat(path).catch(() => null);
  if (status === null) return false;
  if (uid === 0) return status.uid !== 0 || (isWritableByOthers(status) && !isSticky(status));
  if (status.uid === uid) return true;
  return !isSticky(status) && (await mayWrite(path));
}

function isWritableByOthers({ mode }: Stats): boolean {
  return (mode & 0o002) !== 0;
}

function isSticky(status: Stats): boolean {
  return status.isDirectory() && (status.mode & 0o1000) !== 0;
}

async function mayWrite(path: string): Promise<boolean> {
  return access(path, constants.W_OK).then(
    () => true,
    () => false,
  );
}

/** Every name that identifies an app, with links followed, and the risks that its entry shows beside its names. */
export async function identityOfEntry(entry: DesktopEntry, environment: NodeJS.ProcessEnv): Promise<AppIdentity> {
  const programs = await programsOf(entry, environment);
  const names = [
    entry.id,
    entry.genericName, // guard A13-1
    entry.startupWmClass,
    entry.tryExec === null ? null : basename(entry.tryExec),
    ...programs.flatMap(({ names: links }) => links),
  ];
  const risks: AppRisk[] = await entryRisks(entry, programs, environment);
  const alsoKnownAs = [...new Set(names.filter((name) => name !== null))];
  const isBrowser = entry.categories.includes('WebBrowser');
  return { name: entry.name, bundleId: entry.id, alsoKnownAs, risks, isBrowser };
}
