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
        The journal records everything that happens, each row chained to the one before. It never holds typed text,
        screenshots or other contents. A program with your rights and the journal’s key can rewrite it unseen.
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
