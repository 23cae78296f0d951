import { readFileSync } from 'node:fs';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { indented, overviewLines, wholeLines } from '../agent/screen-text/screen-text.ts';
for (const name of ['office','office-contents','tools','reading']) {
  const d = JSON.parse(readFileSync(`test/agent/screen-text/recordings/${name}.json`,'utf8'));
  let n = 0; const refs = new Map(); const refOf = (id: string) => { if (!refs.has(id)) refs.set(id, ++n); return refs.get(id); };
  const t = indented(wholeLines(d, refOf));
  if (name === 'office-contents') console.log(t);
  console.log(name, encode(JSON.stringify(d)).length, encode(t).length, encode(indented(overviewLines(d))).length);
}
