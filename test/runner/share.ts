/** `npm test` sets it to a number of the commit. */
export const SHARE_VARIABLE = 'HANDRAIL_TEST_SHARE';

/**
 * One in `parts` of the cases, chosen by the commit: after some landings each case has run. `npm test -- whole` runs all of them, and so
 * does whoever runs a test file or the guards by themselves.
 */
export function shareOf<Case>(cases: readonly Case[], parts: number): Case[] {
  const seed = process.env[SHARE_VARIABLE];
  return seed === undefined ? [...cases] : cases.filter((_, index) => (index + Number(seed)) % parts === 0);
}
