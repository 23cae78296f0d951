/** Says whether a value, as JSON, differs from the one of the last call. The first one does. */
export function createChanges(): (value: unknown) => boolean {
  let latest: string | undefined;
  return (value) => {
    const next = JSON.stringify(value);
    if (next === latest) return false;
    latest = next;
    return true;
  };
}
