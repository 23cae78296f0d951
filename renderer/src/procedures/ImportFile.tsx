import { useState } from 'react';
import type { ProcedureSubmission } from '../../../src/contract/procedure.ts';
import type { DashboardModel } from '../dashboard-model.ts';
import { FieldFault, faultOf } from '../FieldFault.tsx';
import { knownUsers } from '../people/person-rows.ts';
import { useObservable } from '../use-observable.ts';
import { Choice } from './Choice.tsx';

/** Keeps a procedure of a file for a requester. Its words are a stranger's, and nothing in it is approved. */
export function ImportFile({ model }: { model: DashboardModel }) {
  const { status, profiles } = useObservable(model.feed);
  const known = knownUsers(status?.requesters ?? [], profiles?.assignments ?? []);
  const [chosen, choose] = useState<string>();
  const [fault, setFault] = useState<string>();
  const userId = chosen ?? known[0];
  if (userId === undefined) return null;
  const keep = async (text: string) => {
    const procedure = parsedObject(text);
    if (procedure === undefined) return setFault('This file is no procedure: it has no JSON object.');
    const kept = await model.client.keepProcedure(userId, procedure);
    setFault(kept.ok ? undefined : kept.failure.detail);
    if (kept.ok)
      await model.act(Promise.resolve(kept), `“${kept.value.name}” is kept for ${userId}. It is not approved.`);
  };
  return (
    <section className="section" aria-labelledby="import-title">
      <h2 id="import-title">Import</h2>
      <p className="hint">A file’s words are those of whoever made it. Read its steps here before you approve it.</p>
      <div className="procedure-fields">
        <Choice label="For" value={userId} options={known.map((each) => [each, each])} onChange={choose} />
        <label className="field">
          File
          <input
            type="file"
            accept=".json,application/json"
            {...faultOf('import-fault', fault)}
            onChange={({ target }) => {
              void target.files?.[0]?.text().then(keep);
              target.value = '';
            }}
          />
        </label>
        <FieldFault id="import-fault" fault={fault} />
      </div>
    </section>
  );
}

/** The daemon checks every member of it. */
function parsedObject(text: string): ProcedureSubmission | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null ? (parsed as ProcedureSubmission) : undefined;
  } catch {
    return undefined;
  }
}
