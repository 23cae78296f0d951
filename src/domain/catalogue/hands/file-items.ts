import { folded } from '../../../contract/near-names.ts';
import type { Control } from '../../../contract/screen.ts';
import type { RiskRule } from '../../risk.ts';

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
