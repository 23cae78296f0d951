import type { FileInside } from '../../contract/files.ts';
import { lastingEffectAt } from '../../contract/lasting-places.ts';
import type { ContentsView } from '../../contract/scripts.ts';
import { comparablePath } from '../../contract/secret-paths.ts';
import type { RiskRule } from '../risk.ts';
import { scriptWritten } from '../scripts/notice-dangers.ts';
import { noticedInSentence, noticedInView, rulesOfNoticed } from '../scripts/noticed-words.ts';
import { pathWords } from './window-words.ts';

/** The judgement of a file at its path, by its name and its contents. */
type JudgedContents = {
  rules: RiskRule[];
  /** Rules with reasons that reveal something of the contents. */
  dangers: RiskRule[];
  /** For the end of a sentence, also about the contents. */
  words: string;
  /** Whether programs run it, or may run it. */
  isRun: boolean;
  view?: ContentsView;
};

/**
 * Judges the contents of a file by the path that it will have, wherever they come from. Contents that are not known, or only in part,
 * count as dangerous where programs would run them.
 */
export function contentsAt(
  path: string,
  inside: FileInside | undefined,
  source: ContentsView['source'],
): JudgedContents {
  const { language, noticed } = scriptWritten(path, inside?.text ?? '');
  const isSettings = GIT_SETTINGS_NAME.test(comparablePath(path));
  const isRun = language !== undefined || lastingEffectAt(path) !== undefined || isSettings;
  const isKnown = inside?.isWhole === true && inside.isText;
  const rules: RiskRule[] = isRun && !isKnown ? [{ level: 'critical', reason: unknownWords(path, inside) }] : []; // guard F9-2
  const dangers = rulesOfNoticed(noticed);
  if (isSettings && hasSection(inside?.text ?? ''))
    dangers.push({
      level: 'critical',
      reason: `${pathWords(path)} holds settings of Git, from which Git starts commands.`,
    });
  const judged = { rules, dangers, words: noticedInSentence(noticed), isRun };
  if (inside === undefined) return judged;
  const named = language === undefined ? {} : { language };
  return { ...judged, view: { source, ...inside, ...named, ...noticedInView(noticed) } };
}

function unknownWords(path: string, inside: FileInside | undefined): string {
  if (inside === undefined) return `Programs may run ${pathWords(path)}, and Handrail does not know its contents.`;
  if (!inside.isText)
    return `Programs may run ${pathWords(path)}, and its contents are no text that Handrail can read.`;
  return `Programs may run ${pathWords(path)}, and Handrail did not read the whole of it: it is too long.`;
}

/** Git reads settings from a file with this name in a repository. A repository can be a folder of any name, so every such file counts. */
const GIT_SETTINGS_NAME = /(?:^|\/)config(?:\.worktree)?$/u;

/** Whether a line begins with the name of a section in brackets. A byte order mark before it counts as a space. */
function hasSection(text: string): boolean {
  return text.split(/[\r\n]/u).some((line) => line.trimStart().startsWith('['));
}
