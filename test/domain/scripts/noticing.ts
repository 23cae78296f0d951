import type { Interpreter } from '../../../src/contract/scripts.ts';
import { noticeDangers } from '../../../src/domain/scripts/notice-dangers.ts';

/** The dangers of a script as `kind: words`, the gravest first. */
export function dangersIn(
  script: string,
  { interpreter = 'sh', withLines = false }: { interpreter?: Interpreter; withLines?: boolean } = {},
): string[] {
  return noticeDangers({ interpreter, script }).findings.map(
    ({ danger, words, lines }) => `${danger}: ${words}${withLines ? ` ${lines.join()}` : ''}`,
  );
}
