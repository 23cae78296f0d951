import { remembering } from '../contract/remembering.ts';
import { CRITICAL_WORDS, type CriticalFamily, type CriticalWords } from './critical-words.ts';

/** `another script`: the label is written in letters that no word of the lists has, so that nothing can be said about it. */
type CriticalLabel = { family: CriticalFamily; word: string } | { family: 'another script' };

/**
 * A label in lower case, without accents and invisible characters. Letters that look like Latin ones become Latin.
 */
export function plainLabel(label: string): string {
  const plain = label
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/gu, '')
    .toLowerCase();
  return plain.replace(LIKE_LATIN, (letter) => LOOK_ALIKES[letter] ?? letter);
}

/** Letters that look like a Latin letter and that Unicode does not take apart (Unicode UTS #39, confusables). */
const LOOK_ALIKES: Readonly<Record<string, string>> = {
  ...lettersLike('абԁеғɡһіјкӏмпорԛѕтцѵԝхуʏ', 'abdefghijklmnopqstuvwxyy'),
  ...lettersLike('αβεηικνορτυχγωϲ', 'abeniknoptuxywc'),
  ...lettersLike('ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ', 'abcdefghijklmnoprstuvwyz'),
  ...lettersLike('осеаոօսհցɑɩıłøđ', 'oceanouhgaiilod'),
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
};

const LIKE_LATIN = new RegExp(`[${Object.keys(LOOK_ALIKES).join('')}]`, 'gu');

function lettersLike(letters: string, latin: string): Record<string, string> {
  return Object.fromEntries([...letters].map((letter, index) => [letter, latin[index] ?? letter]));
}

/**
 * Why the words on a control make it critical, or nothing. A label is the app's own text and may be hostile: case, accents, invisible
 * characters, letters that look like Latin ones, spacing and mnemonic marks make no difference. Whole words count, so "Sender" and
 * "Posted" do not; in Chinese and Japanese, which have no spaces, parts count, but not in nouns such as "发送者". The time is linear.
 */
export const criticalLabel = remembering((label): CriticalLabel | undefined => {
  for (const order of ordersOf(label)) {
    const plain = plainLabel(order);
    const split = plainLabel(splitAtCapitals(order));
    const spellings = [plain, plain.replace(/[_&]/gu, ''), split, withLetters(plain, 'l'), withLetters(plain, 'i')];
    for (const words of spellings.map(wordsOf)) {
      const found = amongWords(words) ?? amongWords(joinedLetters(words)) ?? amongGlued(words);
      if (found !== undefined) return found;
    }
    const found = amongCharacters(plain.replace(/[\s\p{P}\p{S}]+/gu, ''));
    if (found !== undefined) return found;
  }
  return unreadable(label);
});

/** As the label is stored and, with a mark that turns the order round, as it is shown. */
function ordersOf(label: string): string[] {
  if (!label.includes('\u202e')) return [label];
  const turned = label.replace(/\u202e([^\u202c\u2069]*)/gu, (_all, text: string) => [...text].reverse().join(''));
  return [label, turned];
}

/** Digits and signs beside a letter, as the letters that they look like. */
function withLetters(plain: string, one: 'l' | 'i'): string {
  const like: Readonly<Record<string, string>> = { ...LIKE, 1: one, '!': one, '|': one };
  return plain.replace(/(?<=\p{L})[01345789@$!|]|[01345789@$!|](?=\p{L})/gu, (sign) => like[sign] ?? sign);
}

const LIKE: Readonly<Record<string, string>> = {
  0: 'o',
  3: 'e',
  4: 'a',
  5: 's',
  7: 't',
  8: 'b',
  9: 'g',
  '@': 'a',
  $: 's',
};

/** Whether a control is the trash by its words. To open it is harmless; a thing dropped on it is removed. */
export function isTrash(label: string): boolean {
  return TRASH.test(plainLabel(label));
}

/** As nautilus and its translations of Debian 12 call it, and Windows. */
const TRASH = new RegExp(
  ['trash', 'rubbish', '(?:recycle|waste) ?bin', 'papierkorb', 'corbeille', 'papelera', 'ゴミ箱', '回收站', '废纸篓']
    .map(plainLabel)
    .join('|'),
  'u',
);

type Found = Extract<CriticalLabel, { word: string }>;

/** Further critical words, as pages have them on their buttons: of trade, of code, of accounts; and other forms of the words of programs. */
export const PAGE_WORDS: readonly CriticalWords[] = [
  english('sends', 'resend merge deploy confirm sends sending submits submitting publishes publishing deploys merging'),
  english('sends', 'confirms confirming resends resending deploying merges'),
  english('pays', 'buys buying pays purchases purchasing donates donating sell sells selling bid withdraw withdraws'),
  page('pays', 'en', ['confirm and pay', 'confirm purchase', 'confirm transfer', 'accept and pay']),
  english('pays', 'withdrawing transfer transfers transferring bidding'),
  english('deletes', 'deletes deleting removes removing erases erasing overwrites overwriting discards discarding'),
  english('deletes', 'uninstalls uninstalling wiping'),
  english('allows', 'accept accepts accepting allows allowing grants granting authorizes authorizing authorising'),
  english('allows', 'trusts trusting installs installing permits permitting approves approving'),
  english('shares', 'uploads uploading shares attaches attaching'),
  english('pastes', 'pastes pasting'),
  page('allows', 'en', ['add extension', 'add to chrome', 'add to browser']),
  page('deletes', 'en', ['wipe disk', 'wipe data', 'wipe all']),
  page('sends', 'de', ['bestätigen', 'erneut senden', 'zusammenführen']),
  page('pays', 'de', ['verkaufen', 'auszahlen', 'geld abheben', 'gebot abgeben', 'bieten']),
  page('allows', 'de', ['annehmen', 'akzeptieren', 'erweiterung hinzufügen']),
  page('sends', 'fr', ['confirmer', 'renvoyer', 'fusionner', 'déployer']),
  page('pays', 'fr', ['vendre', 'enchérir', 'transférer']),
  page('allows', 'fr', ['accepter', 'ajouter l’extension']),
  page('sends', 'es', ['confirmar', 'reenviar', 'fusionar', 'desplegar']),
  page('pays', 'es', ['vender', 'pujar', 'retirar dinero', 'retirar fondos']),
  page('allows', 'es', ['aceptar y continuar', 'aceptar invitación', 'añadir extensión']),
  page('sends', 'ja', ['確定する', '確認する', 'マージする', 'デプロイ']),
  page('pays', 'ja', ['出金', '売却', '入札']),
  page('allows', 'ja', ['同意する', '承諾', '拡張機能を追加']),
  page('sends', 'zh', ['确认', '合并请求', '部署']),
  page('pays', 'zh', ['提现', '出售', '竞拍', '出价']),
  page('allows', 'zh', ['接受', '添加扩展程序']),
];

/** By word: the next words with which it is harmless. */
const HARMLESS_BEFORE: Readonly<Record<string, readonly string[]>> = {
  transfer: ['rate', 'rates', 'speed', 'history', 'learning', 'protocol'],
  transfers: ['history'],
  merge: ['cells', 'layers', 'request', 'requests', 'conflict', 'conflicts'],
  deploy: ['history', 'log', 'logs'],
  bid: ['history'],
  sell: ['on'],
  accept: ['cookies', 'suggestion'],
  sending: ['domain', 'domains', 'history'],
  sharing: ['settings'],
};

/** Words that pages write together with a critical one, as in "SENDNOW". */
const GLUED: ReadonlySet<string> = new Set(
  'now all it me my this mail email message messages file files account order button btn payment money user'.split(' '),
);

function english(family: CriticalWords['family'], words: string): CriticalWords {
  return page(family, 'en', words.split(' '));
}

function page(
  family: CriticalWords['family'],
  language: CriticalWords['language'],
  words: readonly string[],
): CriticalWords {
  return { family, language, words, source: 'buttons of web shops, exchanges, code hosts and browsers' };
}

/** Words of one script are separated by spaces; those of the others are found by their characters. */
const ALL_WORDS = [...CRITICAL_WORDS, ...PAGE_WORDS];
const SPACED = ALL_WORDS.filter(({ language }) => language !== 'ja' && language !== 'zh');
const UNSPACED = ALL_WORDS.filter(({ language }) => language === 'ja' || language === 'zh');

const ANYWHERE = indexed(SPACED.flatMap(({ family, words }) => words.map((word) => ({ family, word }))));
const ALONE = indexed(SPACED.flatMap(({ family, alone = [] }) => alone.map((word) => ({ family, word }))));
const PARTS = charactersOf(UNSPACED.flatMap(({ family, words }) => words.map((word) => ({ family, word }))));
const WHOLE = charactersOf(UNSPACED.flatMap(({ family, alone = [] }) => alone.map((word) => ({ family, word }))));
const MOST_WORDS = Math.max(...[...ANYWHERE.keys(), ...ALONE.keys()].map((word) => word.split(' ').length));
const MOST_CHARACTERS = Math.max(...[...PARTS.keys()].map((word) => word.length));

function indexed(entries: readonly Found[]): ReadonlyMap<string, Found> {
  return new Map(entries.map((entry) => [wordsOf(plainLabel(entry.word)).join(' '), entry]));
}

function charactersOf(entries: readonly Found[]): ReadonlyMap<string, Found> {
  return new Map(entries.map((entry) => [plainLabel(entry.word), entry]));
}

function amongWords(words: readonly string[]): Found | undefined {
  const whole = words.length > MOST_WORDS ? undefined : ALONE.get(words.join(' '));
  if (whole !== undefined) return whole;
  for (const [first] of words.entries()) {
    for (let length = MOST_WORDS; length > 0; length -= 1) {
      const found = ANYWHERE.get(words.slice(first, first + length).join(' '));
      if (found !== undefined && !isHarmless(found, words[first + length])) return found;
    }
  }
  return undefined;
}

function isHarmless({ word }: Found, next = ''): boolean {
  return HARMLESS_BEFORE[word]?.includes(next) === true;
}

const LONGEST_GLUED = 30;

/** "SENDNOW" and "mysend". */
function amongGlued(words: readonly string[]): Found | undefined {
  for (const word of words.filter(({ length }) => length <= LONGEST_GLUED)) {
    for (let end = 2; end < word.length - 1; end += 1) {
      const [head, tail] = [word.slice(0, end), word.slice(end)];
      const found = GLUED.has(tail) ? ANYWHERE.get(head) : GLUED.has(head) ? ANYWHERE.get(tail) : undefined;
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/** "S e n d" reads as "Send". */
function joinedLetters(words: readonly string[]): string[] {
  return words
    .join(' ')
    .replace(/(?<=(?:^| )\p{L}) (?=\p{L}(?: |$))/gu, '')
    .split(' ');
}

/** Makes of the word before it the name of a thing or a person: sender, time of sending, sent. */
const MAKES_NOUN = /^(?:者|人|済|元|先|日|時|时|件人|箱|欄|栏|记录|履歴|歴|历史|状态|状態|名$)/u;
const IS_PAST = /[已未]$/u;

function amongCharacters(text: string): Found | undefined {
  const whole = WHOLE.get(text);
  if (whole !== undefined) return whole;
  for (let start = 0; start < text.length; start += 1) {
    for (let length = Math.min(MOST_CHARACTERS, text.length - start); length > 0; length -= 1) {
      const found = PARTS.get(text.slice(start, start + length));
      if (found === undefined) continue;
      const [before, after] = [
        text.slice(Math.max(0, start - 1), start),
        text.slice(start + length, start + length + 2),
      ];
      if (!IS_PAST.test(before) && !MAKES_NOUN.test(after)) return found;
    }
  }
  return undefined;
}

const READ = /[\p{Script=Latin}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const UNREAD = /[\p{L}--[\p{Script=Latin}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Lm}]]/gv;

/** A lone letter beside Latin ones is a sign, such as in "5 μm"; the name of a file beside other letters makes them no more readable. */
function unreadable(label: string): CriticalLabel | undefined {
  const plain = label.normalize('NFKD');
  const unread = plain.match(UNREAD)?.length ?? 0;
  return unread > 1 || (unread === 1 && !READ.test(plain)) ? { family: 'another script' } : undefined;
}

function splitAtCapitals(label: string): string {
  return label.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2');
}

function wordsOf(plain: string): string[] {
  return plain.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
}
