import type { CriticalWords } from './critical-words.ts';

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
export const HARMLESS_BEFORE: Readonly<Record<string, readonly string[]>> = {
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
export const GLUED: ReadonlySet<string> = new Set(
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
