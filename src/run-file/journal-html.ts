import { html } from './html.ts';
import type { RecordedRow } from './run-record.ts';

/** The rows of the journal as a table. */
export function journalHtml(rows: readonly RecordedRow[]): string {
  return `<details><summary>Journal: ${rows.length} ${rows.length === 1 ? 'row' : 'rows'}</summary>
<div class="scroll"><table><thead><tr><th>Row</th><th>Time</th><th>Kind</th><th>Facts</th><th>Hash</th></tr></thead><tbody>
${rows.map(rowHtml).join('\n')}
</tbody></table></div></details>`;
}

function rowHtml({ seq, atMs, kind, metadata, hash }: RecordedRow): string {
  const at = new Date(atMs).toISOString().replace('T', ' ');
  return `<tr><td>${seq}</td><td>${at}</td><td>${html(kind)}</td><td>${html(metadata)}</td><td>${html(hash.slice(0, 16))}…</td></tr>`;
}
