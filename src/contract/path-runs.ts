/** Names that follow each other on a path, such as `.config/gh`, with their meaning. All names are in lower case. */
type Runs<Meaning> = readonly { meaning: Meaning; runs: readonly string[] }[];

type Run<Meaning> = { names: readonly string[]; meaning: Meaning };

/**
 * Finds the first run that is anywhere on a path, or ends it. The path must come from `comparablePath`. The time is linear
 * in its length.
 */
export function createRunFinder<Meaning>(lists: Runs<Meaning>): (path: string) => Meaning | undefined {
  const all = lists.flatMap(({ meaning, runs }) => runs.map((run) => ({ names: run.split('/'), meaning })));
  const byFirst: ReadonlyMap<string | undefined, Run<Meaning>[]> = Map.groupBy(all, ({ names: [first] }) => first);

  return (path) => {
    const names = path.split('/').filter((name) => name !== '');
    for (const [from, name] of names.entries()) {
      const found = byFirst.get(name)?.find((run) => run.names.every((each, index) => each === names[from + index]));
      if (found !== undefined) return found.meaning;
    }
    return undefined;
  };
}
