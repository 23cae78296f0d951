/** How often a header came. Node joins repeated headers or drops all but the first, so only the raw list tells. */
export function headerCount(rawHeaders: readonly string[], lowerCaseName: string): number {
  return rawHeaders.filter(
    (text, index) => index % 2 === 0 && text.length === lowerCaseName.length && text.toLowerCase() === lowerCaseName,
  ).length;
}
