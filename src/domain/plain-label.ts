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
