/** Terminals that say who they are only by `TERM_PROGRAM`. */
const BUNDLE_IDS: ReadonlyMap<string, string> = new Map([
  ['Apple_Terminal', 'com.apple.Terminal'],
  ['iTerm.app', 'com.googlecode.iterm2'],
  ['vscode', 'com.microsoft.VSCode'],
  ['WezTerm', 'com.github.wez.wezterm'],
  ['ghostty', 'com.mitchellh.ghostty'],
  ['WarpTerminal', 'dev.warp.Warp-Stable'],
  ['Hyper', 'co.zeit.hyper'],
  ['Tabby', 'org.tabby'],
]);

/**
 * The bundle id of the app that macOS holds the permissions of this process against: the app itself, or the terminal it was
 * started from. LaunchServices puts it into the environment of everything it starts; `null` when nothing tells.
 */
export function responsibleApp(environment: NodeJS.ProcessEnv): string | null {
  const { __CFBundleIdentifier: launched = '', TERM_PROGRAM: terminal = '' } = environment;
  // It is printed as part of a command that a person may copy.
  if (/^[A-Za-z0-9.-]{1,255}$/.test(launched)) return launched;
  return BUNDLE_IDS.get(terminal) ?? null;
}
