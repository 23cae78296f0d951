import { MAX_PATH_LENGTH } from './files.ts';
import { createRunFinder } from './path-runs.ts';
import { comparablePath } from './secret-paths.ts';

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

/** Names between commas. */
function listOf(text: string): string[] {
  return text.trim().split(/,\s+/u);
}

/** A place holds for everything below it too. */
const placeOn = createRunFinder<string>([
  {
    meaning: 'which runs each time a shell or a session starts',
    runs: listOf(`
      .bash_completion, .bash_completion.d, .bashrc.d, .profile.d, .zshrc.d, .zsh, .zfunc, .zinit, .zplug,
      .antigen, .p10k.zsh, .oh-my-zsh, .oh-my-bash, .xonshrc, .config/bash, .config/zsh, .config/nushell,
      .config/environment.d, .local/share/bash-completion, .local/share/zsh, .local/share/fish,
      library/application support/nushell, .config/xonsh, .xsessionrc`),
  },
  {
    meaning: 'from which programs start',
    runs: ['node_modules/.bin'],
  },
  {
    meaning: 'from which a program starts commands when it starts',
    runs: listOf(`
      library/automator, library/colorpickers, library/mail/bundles, library/pdf services,
      library/preferencepanes, library/safari/extensions, library/screen savers, library/scripting additions,
      library/scripts, library/spotlight, library/workflows`),
  },
  {
    meaning: 'which starts programs at each login',
    runs: listOf(`
      .config/autostart-scripts, .config/plasma-workspace, .config/lxsession, .kde/autostart,
      library/preferences/com.apple.loginitems.plist, library/preferences/loginwindow.plist,
      library/application support/com.apple.backgroundtaskmanagementagent`),
  },
  {
    meaning: 'from which other programs start commands',
    runs: listOf(`
      .git/config.worktree, .git/commondir, .git/modules, .git/worktrees, .githooks, .claude/settings.json,
      .claude/settings.local.json, .claude/hooks, .claude/agents, .claude/commands, .claude/skills,
      .claude/plugins, .gemini/settings.json, .gemini/extensions, .mcp.json, .envrc, .cargo/bin, .cargo/config,
      .cargo/config.toml, .yarnrc, .yarnrc.yml, .yarn/plugins, .yarn/releases, .pnpmfile.cjs,
      .vscode/extensions, .vscode/launch.json, .vscode/mcp.json, .vscode-server, .config/code/user,
      .config/cursor/user, .config/vscodium/user, library/application support/code/user,
      library/application support/cursor/user, .devcontainer, .idea/runconfigurations, .idea/workspace.xml,
      .gradle/init.d, .gradle/init.gradle, .mvn, .config/mise, .mise.toml, .pre-commit-config.yaml, .cursor,
      .windsurf, .codeium/windsurf, .config/zed, .zed, .config/helix, .helix, .config/opencode, .opencode,
      .kiro, .continue, .codex, .gemini/commands, .vscode-insiders, .config/code - insiders/user,
      library/application support/code - insiders/user, library/application support/vscodium/user,
      library/application support/zed, .config/claude/claude_desktop_config.json,
      library/application support/claude/claude_desktop_config.json, .run, .vs, .fleet/run.json, .nvimrc,
      .lvimrc, .dir-locals.el, .xbindkeysrc, .config/sxhkd, .gradle/gradle.properties, .bundle/config`),
  },
]);

/**
 * Why a change at this path has an effect later, by the settings that programs keep in hidden files. The path is given as
 * `comparablePath` answers it. The time is linear in its length.
 */
export function settingsEffectAt(path: string): string | undefined {
  const listed = placeOn(path);
  const spelled = `/${path}/`;
  if (listed !== undefined) return listed;
  const isStart = spelled.endsWith('/.git/') || spelled.endsWith('.code-workspace/') || GIT_HOOK.test(spelled);
  return isStart ? 'from which other programs start commands' : undefined;
}

/** A hook of a repository of any name, since Git takes each folder that is laid out as one for a repository. */
const GIT_HOOK =
  /\/hooks\/(?:applypatch-msg|pre-applypatch|post-applypatch|pre-commit|pre-merge-commit|prepare-commit-msg|commit-msg|post-commit|pre-rebase|post-checkout|post-merge|pre-push|pre-receive|update|proc-receive|post-receive|post-update|reference-transaction|push-to-checkout|pre-auto-gc|post-rewrite|sendemail-validate|fsmonitor-watchman|post-index-change)\/$/u;

/** Why other programs run what is at this path, although nothing starts by itself: "from which programs load their code". */
export function loadedCodeAt(path: string): string | undefined {
  const spelled = `/${comparablePath(path)}/`;
  if (OF_PACKAGES.test(spelled)) return 'from which programs load their code';
  return PROGRAM_NAMES.test(spelled) ? 'which is a program that starts when it is opened' : undefined;
}

/** Whether this path is in a folder of packages, whose files are code that programs load. */
export function isOfPackages(path: string): boolean {
  return OF_PACKAGES.test(`/${comparablePath(path)}/`);
}

const OF_PACKAGES = /\/(?:node_modules|site-packages|dist-packages)\//u;

/** Folders that macOS takes for a program or a part of one, and files that desktops start by a click. */
const PROGRAM_NAMES =
  /\.(?:app|appex|xpc|workflow|action|scptd|prefpane|saver|qlgenerator|mdimporter|kext|bundle|plugin|service|wdgt|framework|desktop|terminal|appimage)\//u;

/**
 * Why a change at this path has an effect later: "which starts programs at each login". No system opens a path that is longer than
 * `MAX_PATH_LENGTH`, so a longer one has no effect.
 */
export function lastingEffectAt(path: string): string | undefined {
  if (path.length > MAX_PATH_LENGTH) return undefined; // guard D4-1
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
const SETTINGS = /\/(?:\.[^/]|Library(?:\/|$))/u; // guard E2-5

/** Whether programs obey settings that lie below this real path. Where a script may write there, its approval says so. */
export function holdsSettings(path: string): boolean {
  return SETTINGS.test(path) || lastingEffectAt(path) !== undefined;
}
