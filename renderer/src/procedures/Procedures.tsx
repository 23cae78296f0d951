import type { DashboardModel } from '../dashboard-model.ts';
import type { Place } from '../pages.ts';
import { actionOfSubject, isRunSubject } from '../runs/run-words.ts';
import { useLoaded } from '../use-loaded.ts';
import { VisibleText } from '../VisibleText.tsx';
import { DraftForm } from './DraftForm.tsx';
import { ImportFile } from './ImportFile.tsx';
import { ProcedureCard } from './ProcedureCard.tsx';
import { countOf } from './procedure-words.ts';

/** Every procedure by its requester; under the address of a run, a draft made of that run. */
export function Procedures({ place: { subject }, model }: { place: Place; model: DashboardModel }) {
  if (subject !== undefined && isRunSubject(subject))
    return <DraftForm key={subject} actionId={actionOfSubject(subject)} model={model} />;
  return <ProcedureList model={model} />;
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
