import { useState } from 'react';
import type { ProcedureSubmission } from '../../../src/contract/procedure.ts';
import { Choice, FieldFault, faultOf } from '../controls.tsx';
import type { DashboardModel } from '../dashboard-model.ts';
import { useLoaded, useObservable } from '../hooks.ts';
import type { Place } from '../pages.ts';
import { knownUsers } from '../people/person-rows.ts';
import { actionOfSubject, isRunSubject } from '../runs/run-words.ts';
import { VisibleText } from '../VisibleText.tsx';
import { DraftForm } from './DraftForm.tsx';
import { ProcedureCard } from './ProcedureCard.tsx';
import { countOf } from './procedure-words.ts';

/** Every procedure by its requester; under the address of a run, a draft made of that run. */
export function Procedures({ place: { subject }, model }: { place: Place; model: DashboardModel }) {
  if (subject !== undefined && isRunSubject(subject))
    return <DraftForm key={subject} actionId={actionOfSubject(subject)} model={model} />;
  return <ProcedureList model={model} />;
}

/** Keeps a procedure of a file for a requester. Its words are a stranger's, and nothing in it is approved. */
function ImportFile({ model }: { model: DashboardModel }) {
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

function ProcedureList({ model }: { model: DashboardModel }) {
  const { value, failure } = useLoaded(model, model.client.procedures);
  const devices = useLoaded(model, model.client.devices).value?.items ?? [];
  if (value === undefined) return <p className="empty">{failure?.detail ?? 'Loading…'}</p>;
  const byUser = [...Map.groupBy(value.items, ({ procedure }) => procedure.userId)];
  return (
    <div className="sheet">
      <h1>Procedures</h1>
      {byUser.length === 0 && (
        <p className="hint">
          No procedures. Open a run in <a href="#/activity">Activity</a> and choose “Make a procedure…”, or import one.
        </p>
      )}
      {byUser.map(([userId, items], index) => (
        <section key={userId} className="section" aria-labelledby={`procedures-${index}`}>
          <h2 id={`procedures-${index}`}>
            <VisibleText>{userId}</VisibleText>
          </h2>
          <ul className="cards">
            {items.map((item) => (
              <ProcedureCard
                key={item.procedure.name}
                item={item}
                devices={devices.filter(({ ownerId }) => ownerId === userId)}
                model={model}
              />
            ))}
          </ul>
        </section>
      ))}
      {value.leftOut > 0 && (
        <p className="hint">
          {countOf(value.leftOut, 'procedure')} more are left out: remove some that you do not need.
        </p>
      )}
      <ImportFile model={model} />
    </div>
  );
}
