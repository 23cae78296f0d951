import { hash } from 'node:crypto';
import type { Action, Evidence } from '../contract/action.ts';
import type { AnsweredPrompt } from '../contract/activity.ts';
import { doing } from '../contract/doing.ts';
import { spelledOut, UNSEEN_IN_LINES } from '../contract/unseen-characters.ts';
import { isWithdrawn } from '../contract/withdrawn.ts';
import type { RecordedAction, RecordedRow, RunRecord } from './run-record.ts';

/** The bytes of the pictures in base64, by their SHA-256. */
export type Pictures = ReadonlyMap<string, string>;

/** The tag before the record, and the one after it. */
export const RECORD_BEGINS = '<pre id="record">';
export const RECORD_ENDS = '</pre>';

const MARKS: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** A text from outside as HTML: no mark of it is markup, and characters that show nothing or turn a line around are escapes. */
export function html(text: string): string {
  const seen = text.replace(UNSEEN_IN_LINES, spelledOut);
  return seen.replace(/[&<>"']/g, (mark) => MARKS[mark] ?? ''); // guard S8-1
}

/** A value as JSON in HTML that `jsonOf` reads back exactly, in visible characters. */
function htmlOfJson(value: unknown): string {
  const seen = JSON.stringify(value).replace(UNSEEN_IN_LINES, (character) => character.split('').map(unitOf).join('')); // guard S8-2
  return seen.replace(/[&<>]/g, (mark) => MARKS[mark] ?? '');
}

/** A UTF-16 unit as JSON spells it. */
function unitOf(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

export function jsonOf(escaped: string): string {
  return escaped.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

/** The page of a saved run, without its seal. The same record and pictures always make the same text. */
export function runPage(record: RunRecord, pictures: Pictures): string {
  const { run, savedAt } = record;
  const title = `${run.userId}, ${moment(run.startedAt)}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'sha256-${STYLE_DIGEST}'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>Run of ${html(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>What ${html(run.userId)} did</h1>
${run.taskName === undefined ? '' : `<p>Task: <q>${html(run.taskName)}</q></p>\n`}<p>${moment(run.startedAt)} to ${moment(run.endedAt ?? run.lastAt)} · ${html(countWords(record))}</p>
<p class="hint">Saved by Handrail on ${moment(savedAt)}. All times are in UTC.</p>
<ol class="actions">
${record.actions.map((action) => actionHtml(action, record, pictures)).join('\n')}
</ol>
${journalHtml(record.journal)}
${PROOF}
<details><summary>Record for the check</summary>${RECORD_BEGINS}${htmlOfJson(record)}${RECORD_ENDS}</details>
</main>
</body>
</html>
`;
}

function countWords({ run, actions }: RunRecord): string {
  const statuses = run.statuses.map(({ status, count }) => `${count} ${statusWords(status)}`).join(', ');
  const left = run.actions - actions.length;
  return `${run.actions} ${run.actions === 1 ? 'action' : 'actions'}: ${statuses}${left > 0 ? `. The oldest ${left} are not in this file` : ''}${run.isCut ? '. The run began earlier' : ''}`;
}

function statusWords(status: string): string {
  return status === 'success' ? 'done' : status.replaceAll('_', ' ');
}

function actionHtml({ detail }: RecordedAction, record: RunRecord, pictures: Pictures): string {
  const { action, sentence, prompt, rule, device } = detail;
  const facts = [
    ...(prompt === undefined ? [] : [promptWords(prompt, action.status)]),
    ...(action.error === undefined ? [] : [action.error.message]),
    ...(action.reason === undefined ? [] : [`Reason given: “${action.reason}”`]),
  ];
  return `<li id="${html(action.actionId)}">
<h2>${html(sentence ?? doing(action.actionType))}</h2>
<p><time>${moment(action.createdAt)}</time> · <strong>${html(statusWords(action.status))}</strong> · ${html(action.risk.level)} risk · ${html(device.name)}</p>
<p>${html(action.details)}</p>
${facts.map((fact) => `<p class="fact">${html(fact)}</p>`).join('')}${evidenceHtml(detail.evidence ?? [], pictures)}${resultsHtml(action, record, pictures)}
<details><summary>Arguments and rule</summary><p>${html(rule)}</p><pre>${html(detail.arguments ?? 'No longer kept.')}</pre></details>
</li>`;
}

function promptWords({ status, decidedAt }: AnsweredPrompt, actionStatus: Action['status']): string {
  const when = decidedAt === undefined ? '' : ` at ${moment(decidedAt)}`;
  if (status === 'allowed') return `You allowed it${when}.`;
  if (status === 'denied') return `You denied it${when}.`;
  if (isWithdrawn(status, actionStatus)) return 'The request was withdrawn unanswered.';
  return status === 'expired' ? 'The request expired unanswered.' : 'The request waited for you.';
}

/** The target of an input, before and after it, as far as the pictures are kept; once where both are the same. */
function evidenceHtml(evidence: readonly Evidence[], pictures: Pictures): string {
  const shown = [...Map.groupBy(evidence, ({ sha256 }) => sha256)].flatMap(([sha256, [one, other]]) => {
    const picture = pictures.get(sha256);
    if (picture === undefined || one === undefined) return [];
    const { mediaType, width, height } = one;
    const role = other === undefined ? one.role : 'before and after';
    return `<p class="hint">${EVIDENCE_WORDS[role]}</p><img src="data:${html(mediaType)};base64,${picture}" alt="The target ${role} it, ${width} × ${height}" width="${width}" height="${height}">`;
  });
  return shown.join('');
}

const EVIDENCE_WORDS = {
  before: 'Before',
  after: 'After',
  'before and after': 'Before and after: nothing changed here',
};

function resultsHtml(action: Action, record: RunRecord, pictures: Pictures): string {
  const attached = (action.artifacts ?? []).map(({ sha256, mediaType, width, height, sizeBytes }) => {
    const picture = pictures.get(sha256);
    const isListed = record.pictures.some((one) => one.sha256 === sha256);
    if (isListed && picture !== undefined)
      return `<img src="data:${html(mediaType)};base64,${picture}" alt="Picture, ${width} × ${height}" width="${width}" height="${height}">`;
    const text = record.texts.find((one) => one.sha256 === sha256)?.text;
    if (text !== undefined) return `<pre class="output">${html(text)}</pre>`;
    return `<p class="hint">A result of ${sizeBytes} bytes is not in this file. SHA-256 ${html(sha256)}</p>`;
  });
  return [...attached, changedFiles(action.data)].join('\n');
}

/** The files that a script changed. The daemon has checked the result of each action type. */
function changedFiles(data: unknown): string {
  if (typeof data !== 'object' || data === null || !('changedFiles' in data) || !Array.isArray(data.changedFiles))
    return '';
  const items = data.changedFiles.map((file: unknown) => `<li>${html(fileWords(file))}</li>`);
  return items.length === 0 ? '' : `<p>Changed files:</p><ul>${items.join('')}</ul>`;
}

function fileWords(file: unknown): string {
  const { path, change } = Object(file);
  return `${String(change)} ${String(path)}`;
}

/** A time such as `2026-11-25 08:40:25`. */
function moment(at: string): string {
  return html(at.slice(0, 19).replace('T', ' '));
}

const PROOF = `<details><summary>What this file proves</summary>
<p>Check it with <code>handrail audit --file FILE</code>; no daemon is needed. On every computer the check finds a byte that was changed: in a text, a picture, a digest or a row of the journal. The pictures, outputs and arguments must have the digests in the rows, and each row the hash that follows from the row before it.</p>
<p>A forger can compute all that anew, except the seal. On the computer that saved it, with its journal.key, the check also proves that Handrail wrote the file, and compares its rows with the journal. It proves nothing against a person or program that can read that key.</p>
<p>Rows about other runs are left out. The gaps between the row numbers show how many.</p>
</details>`;

const STYLE = `:root{color-scheme:light dark;--line:#8884;--muted:#5c6066}@media(prefers-color-scheme:dark){:root{--muted:#a5a9b0}}
body{margin:0;font:15px/1.5 system-ui,sans-serif}main{max-width:880px;margin:0 auto;padding:24px 20px}h1{font-size:22px;margin:0 0 4px}h2{font-size:16px;margin:0;overflow-wrap:anywhere}
p{margin:4px 0;overflow-wrap:anywhere}.hint,.fact,time{color:var(--muted)}ol.actions{list-style:none;padding:0;margin:20px 0}ol.actions>li{padding:14px 0;border-top:1px solid var(--line)}
img{display:block;max-width:100%;height:auto;margin:8px 0;border:1px solid var(--line)}pre{white-space:pre-wrap;overflow-wrap:anywhere;margin:6px 0;padding:8px;border:1px solid var(--line);border-radius:6px;font-size:13px;direction:ltr}
details{margin:6px 0}summary{cursor:pointer;color:var(--muted)}.scroll{overflow-x:auto}table{min-width:640px;border-collapse:collapse;font-size:12px}td,th{text-align:start;vertical-align:top;padding:3px 8px;border-top:1px solid var(--line);overflow-wrap:anywhere}code{font-size:.95em}`;
const STYLE_DIGEST = hash('sha256', STYLE, 'base64');

/** The rows of the journal as a table. */
function journalHtml(rows: readonly RecordedRow[]): string {
  return `<details><summary>Journal: ${rows.length} ${rows.length === 1 ? 'row' : 'rows'}</summary>
<div class="scroll"><table><thead><tr><th>Row</th><th>Time</th><th>Kind</th><th>Facts</th><th>Hash</th></tr></thead><tbody>
${rows.map(rowHtml).join('\n')}
</tbody></table></div></details>`;
}

function rowHtml({ seq, atMs, kind, metadata, hash }: RecordedRow): string {
  const at = new Date(atMs).toISOString().replace('T', ' ');
  return `<tr><td>${seq}</td><td>${at}</td><td>${html(kind)}</td><td>${html(metadata)}</td><td>${html(hash.slice(0, 16))}…</td></tr>`;
}
