import { expect, test } from 'vitest';
import { criticalLabel, PAGE_WORDS } from '../../src/domain/critical-controls.ts';
import { CRITICAL_WORDS } from '../../src/domain/critical-words.ts';

const everyWord = [...CRITICAL_WORDS, ...PAGE_WORDS].flatMap(({ family, words, alone = [] }) =>
  [...words, ...alone].map((word) => ({ family, word })),
);

test('every word of the list is found alone, in capitals and with an ellipsis', () => {
  const missed = everyWord.filter(({ family, word }) =>
    [word, word.toUpperCase(), `${word}…`, `_${word}`, ` ${word} `].some(
      (label) => criticalLabel(label)?.family !== family,
    ),
  );
  expect(missed).toEqual([]);
});

test('every language has words of every family, each with its source', () => {
  const keys = CRITICAL_WORDS.map(({ language, family }) => `${language} ${family}`);
  expect(new Set(keys).size).toBe(48);
  expect(keys.length).toBe(48);
  expect(CRITICAL_WORDS.filter(({ source }) => source === '')).toEqual([]);
});

test.each([
  ['Send', 'sends'],
  ['Send & Archive', 'sends'],
  ['S&end', 'sends'],
  ['S_end', 'sends'],
  ['S e n d', 'sends'],
  ['Se\u200bnd', 'sends'],
  ['Se\u00adnd', 'sends'],
  ['Ｓｅｎｄ', 'sends'],
  ['𝗦𝗲𝗻𝗱', 'sends'],
  ['Ѕеnd', 'sends'],
  ['ꜱᴇɴᴅ', 'sends'],
  ['\u202eSend', 'sends'],
  ['sendButton', 'sends'],
  ['SENDNOW', 'sends'],
  ['Deletefile', 'deletes'],
  ['5end', 'sends'],
  ['de1ete', 'deletes'],
  ['subm1t', 'sends'],
  ['$end', 'sends'],
  ['\u202edneS', 'sends'],
  ['Now: \u202eeteleD\u202c', 'deletes'],
  ['Transfer €500 to Bob', 'pays'],
  ['Withdraw', 'pays'],
  ['Sell all', 'pays'],
  ['Place bid', 'pays'],
  ['Merge pull request', 'sends'],
  ['Deploy to production', 'sends'],
  ['Confirm', 'sends'],
  ['Accept', 'allows'],
  ['Resend code', 'sends'],
  ['Sending…', 'sends'],
  ['Deletes the branch', 'deletes'],
  ['Add extension', 'allows'],
  ['Delete_all', 'deletes'],
  ['Löschen', 'deletes'],
  ['Lo\u0308schen', 'deletes'],
  ['Jetzt kostenpflichtig bestellen', 'pays'],
  ['Place your order', 'pays'],
  ['Book now', 'pays'],
  ['Mot de passe oublié', 'signs in'],
  ['ゴミ箱を空にする', 'deletes'],
  ['すべて送信', 'sends'],
  ['发 送', 'sends'],
  ['全部发送', 'sends'],
  ['立即付款', 'pays'],
  ['Paste and match style', 'pastes'],
  ['Einfügen', 'pastes'],
  ['形式を選択して貼り付け', 'pastes'],
  [`${'word '.repeat(10_000)}delete`, 'deletes'],
])('%s is critical', (label, family) => {
  expect(criticalLabel(label)?.family).toBe(family);
});

test.each([
  'Sender',
  'Toothpaste',
  'Next',
  'Accepted answer',
  'Accept cookies',
  'Merge cells',
  'Transfer speed',
  'Confirmed',
  'Best sellers',
  'Emerge',
  'Forbid',
  '3 files',
  'Room 5',
  'H2O',
  'Sent5',
  'Bild einfügen',
  'Senders',
  'Posted',
  'Posts',
  'Sort order',
  'Order by name',
  'Your order history',
  'Book review',
  'Format cells',
  'Paying guests',
  'Payload',
  'Deleted items',
  'Removed',
  'Shared',
  'Allowance',
  'Trustworthy',
  'Installed',
  'Keyboard',
  'Transfer rate',
  'Undelete',
  'Absender',
  'Gelöschte Elemente',
  'Expéditeur',
  'Enviado',
  '送信者',
  '送信済み',
  '发送者',
  '已发送',
  '发送时间',
  'OK',
  'Cancel',
  '',
  '7',
  '+',
  'Font Ω',
  '5 μm',
  '絵文字を表示ー',
])('%j is not critical', (label) => {
  expect(criticalLabel(label)).toBeUndefined();
});

test.each(['Отправить', 'إرسال', 'שלח', '보내기', 'ส่ง', 'Отправить (Ctrl+Enter)', 'y o u: С т е р е т ь'])(
  '%s is in a script that the lists do not cover',
  (label) => {
    expect(criticalLabel(label)).toEqual({ family: 'another script' });
  },
);
