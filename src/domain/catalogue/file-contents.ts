import type { FileInside } from '../../contract/files.ts';
import type { ContentsView } from '../../contract/scripts.ts';
import type { RiskRule } from '../risk.ts';
import { noticedInSentence, noticedInView, rulesOfNoticed } from '../scripts/noticed-words.ts';
import { lastingEffectAt } from '../scripts/places.ts';
import { scriptWritten } from '../scripts/written-script.ts';

/** What a file is at its path, by its name and its contents. */
type JudgedContents = {
  rules: RiskRule[];
  /** For the end of a sentence. */
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
  const isSettings = GIT_SETTINGS_NAME.test(path.toLowerCase());
  const isRun = language !== undefined || lastingEffectAt(path) !== undefined || isSettings;
  const isKnown = inside?.isWhole === true && inside.isText;
  const rules = rulesOfNoticed(noticed);
  if (isRun && !isKnown) rules.push({ level: 'critical', reason: unknownWords(path, inside) });
  if (isSettings && GIT_SETTINGS.test(inside?.text ?? ''))
    rules.push({ level: 'critical', reason: `${path} holds settings of Git, from which Git starts commands.` });
  const words = noticedInSentence(noticed);
  if (inside === undefined) return { rules, words, isRun };
  const named = language === undefined ? {} : { language };
  return { rules, words, isRun, view: { source, ...inside, ...named, ...noticedInView(noticed) } };
}

function unknownWords(path: string, inside: FileInside | undefined): string {
  if (inside === undefined) return `Programs may run ${path}, and Handrail does not know its contents.`;
  if (!inside.isText) return `Programs may run ${path}, and its contents are no text that Handrail can read.`;
  return `Programs may run ${path}, and Handrail did not read the whole of it: it is too long.`;
}

/** Git takes each folder that is laid out as a repository for one, whatever the name of the folder is. */
const GIT_SETTINGS_NAME = /(?:^|\/)config(?:\.worktree)?$/u;
const GIT_SETTINGS =
  /^[ \t]*\[[ \t]*(?:alias|branch|browser|core|credential|diff|difftool|extensions|filter|gpg|include|includeif|interactive|man|merge|mergetool|pager|remote|sequence|submodule|uploadpack|url)\b/imu;
