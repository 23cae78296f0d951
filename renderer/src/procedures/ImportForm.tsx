import { type FormEvent, useId, useState } from 'react';
import type { ProcedureSubmission } from '../../../src/contract/procedure.ts';
import type { DashboardModel } from '../dashboard-model.ts';
import { FieldFault, faultOf } from '../FieldFault.tsx';
import { knownUsers } from '../people/person-rows.ts';
import { visibleText } from '../prompt/visible-text.ts';
import { Quoted } from '../Quoted.tsx';
import { useObservable } from '../use-observable.ts';

/** Keeps a procedure of a file for a requester. Its words are a stranger's, and nothing in it is approved. */
export function ImportForm({ users, model }: { users: readonly string[]; model: DashboardModel }) {
  const { status, profiles } = useObservable(model.feed);
  const known = [...new Set([...users, ...knownUsers(status?.requesters ?? [], profiles?.assignments ?? [])])];
  const [read, setRead] = useState<Partial<ProcedureSubmission>>();
  const [userId, setUserId] = useState<string>();
  const [fault, setFault] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const id = useId();
  const open = async (file: File | undefined) => {
    const text = await file?.text();
    const parsed = text === undefined ? undefined : parsedObject(text);
    setRead(parsed);
    setFault(
      text === undefined || parsed !== undefined ? undefined : 'This file is no procedure: it has no JSON object.',
    );
  };
  const keep = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const owner = userId ?? known[0];
    if (isBusy || read === undefined || owner === undefined) return;
    const form = event.currentTarget;
    setBusy(true);
    // The daemon checks every member of it.
    const kept = await model.client.keepProcedure(owner, read as ProcedureSubmission);
    setBusy(false);
    setFault(kept.ok ? undefined : kept.failure.detail);
    if (!kept.ok) return;
    form.reset();
    setRead(undefined);
    await model.act(
      Promise.resolve(kept),
      `The procedure “${kept.value.name}” is kept for ${owner}. It is not approved.`,
    );
  };
  if (known.length === 0) return null;
  return (
    <section className="section" aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>Import</h2>
      <form className="procedure-fields" onSubmit={keep} aria-labelledby={`${id}-title`}>
        <span className="field">
          <label htmlFor={`${id}-file`}>File</label>
          <input
            id={`${id}-file`}
            type="file"
            accept=".json,application/json"
            required
            {...faultOf(`${id}-fault`, fault)}
            onChange={({ target }) => void open(target.files?.[0])}
          />
        </span>
        <span className="field">
          <label htmlFor={`${id}-user`}>For</label>
          <select id={`${id}-user`} value={userId ?? known[0]} onChange={({ target }) => setUserId(target.value)}>
            {known.map((each) => (
              <option key={each} value={each}>
                {visibleText(each)}
              </option>
            ))}
          </select>
        </span>
        <button type="submit" aria-disabled={isBusy}>
          Import
        </button>
        <FieldFault id={`${id}-fault`} fault={fault} />
      </form>
      {read !== undefined && (
        <p className="hint">
          The file calls itself <Quoted>{String(read.name)}</Quoted>
          {read.description !== undefined && (
            <>
              {' and says '}
              <Quoted>{String(read.description)}</Quoted>
            </>
          )}
          . Whoever made it chose these words. Its steps are shown once it is imported, and nothing in it is approved.
        </p>
      )}
    </section>
  );
}

function parsedObject(text: string): Partial<ProcedureSubmission> | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}
