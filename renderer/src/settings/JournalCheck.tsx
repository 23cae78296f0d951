import { useState } from 'react';
import type { AuditResult } from '../../../src/contract/daemon-facts.ts';
import type { DashboardModel } from '../dashboard-model.ts';

/** Verifies the hash chain of the journal and says the result. */
export function JournalCheck({ model }: { model: DashboardModel }) {
  const [result, setResult] = useState<AuditResult>();
  const [isBusy, setBusy] = useState(false);
  const verify = async () => {
    if (isBusy) return;
    setBusy(true);
    const answer = await model.client.verifyAudit();
    if (answer.ok) setResult(answer.value);
    else model.notices.outcome(answer);
    setBusy(false);
  };
  return (
    <section className="section" aria-labelledby="journal-title">
      <h2 id="journal-title">Journal</h2>
      <p className="hint">
        Everything that happens is recorded in a journal in which every row is chained to the one before it. Typed text,
        screenshots and other contents are never in it. A program that has your rights and the key of the journal can
        rewrite it so that nothing shows.
      </p>
      <div className="field-row">
        <button type="button" aria-disabled={isBusy} onClick={() => void verify()}>
          {isBusy ? 'Verifying…' : 'Verify the journal'}
        </button>
        <p role="status">{result !== undefined && resultWords(result)}</p>
      </div>
    </section>
  );
}

function resultWords({ valid, rows, brokenAt, reason }: AuditResult): string {
  if (valid) return `The journal is intact: ${rows.toLocaleString('en')} rows.`;
  return `The journal was changed${brokenAt === undefined ? '' : ` at row ${brokenAt}`}. ${reason ?? ''}`;
}
