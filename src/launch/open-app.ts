/** The app that a program is inside of; undefined where it is in none. */
export function bundleOf(binary: string): string | undefined {
  return /^(.+\.app)\/Contents\/MacOS\/[^/]+$/.exec(binary)?.[1];
}

type Opening = { bundle: string; args: readonly string[]; environment: NodeJS.ProcessEnv };

/**
 * The arguments for `open` that start another instance of an app. Each is an argument of its own, so that spaces in a path mean nothing. Our
 * settings are named: `open` does not promise that an app gets its environment.
 */
export function openArguments({ bundle, args, environment }: Opening): string[] {
  const settings = Object.entries(environment).filter(([name]) => /^HANDRAIL_[A-Z_]+$/.test(name));
  const named = settings.flatMap(([name, value = '']) => ['--env', `${name}=${value}`]);
  return ['-n', ...named, '-a', bundle, '--args', ...args];
}
