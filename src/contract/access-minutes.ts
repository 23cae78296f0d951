/** How long an access may be asked for. */
export const ACCESS_MINUTES = { least: 1, most: 480 };

/** Such as `15 minutes` or `8 hours`. Whole hours are told as hours. */
export function minutesInWords(minutes: number): string {
  const [count, unit] = minutes % 60 === 0 ? [minutes / 60, 'hour'] : [minutes, 'minute'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
