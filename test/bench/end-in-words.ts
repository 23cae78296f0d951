import { progress } from './progress.ts';

progress.at('getting ready');

/**
 * A part that cannot go on says why: what the machine lacks, or what was awaited in vain. A person who runs the bench reads no stack;
 * `HANDRAIL_STACK=1` shows it.
 */
process.on('uncaughtException', (error: unknown) => {
  if (process.env.HANDRAIL_STACK !== undefined) console.error(error);
  else process.stderr.write(`handrail: the bench ended: ${wordsOf(error)}\n`);
  process.exit(1);
});

function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message}: ${wordsOf(error.cause)}`;
}
