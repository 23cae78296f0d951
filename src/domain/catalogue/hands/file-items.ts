import { folded } from '../../../contract/near-names.ts';
import type { Control } from '../../../contract/screen.ts';
import { secretAt } from '../../../contract/secret-paths.ts';
import type { RiskRule } from '../../risk.ts';
import { placeRules } from '../file-actions.ts';

/** No dialog tells where the file lies. */
const OPENS_FILE: RiskRule = {
  level: 'high',
  reason: 'By its words it may open a file, and nothing tells which one.',
};

/** Items of the menus of an app that stand for files, as those of recent files do. */
export function fileItemRules({ role, name, texts = [], url }: Item): RiskRule[] {
  return url === undefined && ITEMS.has(role) && [name, ...texts].some(saysFile) ? [OPENS_FILE] : [];
}

type Item = Pick<Control, 'role' | 'name' | 'texts' | 'url'>;

const ITEMS: ReadonlySet<string> = new Set(['menuitem', 'menuitemcheckbox', 'menuitemradio', 'menu']);

function saysFile(label: string): boolean {
  return NAME_OF_FILE.test(label) || RECENT.test(folded(label).replace(/_/gu, ''));
}

/** A name with an ending, or a path. */
const NAME_OF_FILE = /[^\s.]\.\p{L}[\p{L}\p{N}]{0,7}(?![\p{L}\p{N}])|(?:^|[\s("'“])~?\/\S/u;

const RECENT = /recent|récent|recient|zuletzt|nylig|senast|seneste|onlangs|ostatni|недавн|последн|最近|최근/u;

/** The title of a window names the file that its app has open, and what is typed there gets into that file without a dialog. */
export function openFileRules({ windowTitle, url }: Pick<Control, 'windowTitle' | 'url'>): RiskRule[] {
  return url === undefined && windowTitle.split(BETWEEN_PARTS).map(fileIn).some(isGrave) ? [CHANGES_GRAVE] : [];
}

const CHANGES_GRAVE: RiskRule = {
  level: 'high',
  reason: 'By its title the window has a file open that holds keys, or from which programs start.',
};

/** As in `*name - app`, `name (folder) - app` and `name [modified] – app`. */
const BETWEEN_PARTS = / [-–—|] /u;

function fileIn(part: string): string {
  const name = part.replace(/^[*●• ]+|(?<![*●• ])[*●• ]+$/gu, '');
  const [state, folder] = [name.lastIndexOf(' ['), name.lastIndexOf(' (')];
  if (state > 0 && name.endsWith(']')) return name.slice(0, state);
  if (folder > 0 && name.endsWith(')')) return `${name.slice(folder + 2, -1)}/${name.slice(0, folder)}`;
  return name;
}

/** A name alone may be of a file of any folder, and a word that is no file. */
function isGrave(file: string): boolean {
  const isPath = /^~?\//u.test(file);
  if (!isPath && !NAME_ALONE.test(file)) return false;
  const path = isPath ? file : `~/${file}`;
  return secretAt(path) !== undefined || placeRules(path).length > 0;
}

const NAME_ALONE = /^(?:\.[^/\s]+|authorized_keys2?|id_[a-z0-9_]+|sudoers|crontab)$/iu;
