import type { Device } from '../../../src/contract/device.ts';
import type { PersonsProcedure } from '../../../src/contract/procedure.ts';
import type { DashboardModel } from '../dashboard-model.ts';
import type { Place } from '../pages.ts';
import { actionOfSubject, isRunSubject } from '../runs/run-words.ts';
import { useLoaded } from '../use-loaded.ts';
import { VisibleText } from '../VisibleText.tsx';
import { DraftForm } from './DraftForm.tsx';
import { ImportForm } from './ImportForm.tsx';
import { ProcedureCard } from './ProcedureCard.tsx';

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
        <p className="hint procedures-none">
          No procedures. Open a run in <a href="#/activity">Activity</a> and choose “Make a procedure…”, or import one.
        </p>
      )}
      {byUser.map(([userId, items], index) => (
        <RequesterProcedures key={userId} id={`procedures-${index}`} {...{ userId, items, devices, model }} />
      ))}
      <ImportForm model={model} users={byUser.map(([userId]) => userId)} />
    </div>
  );
}

type Props = {
  id: string;
  userId: string;
  items: readonly PersonsProcedure[];
  devices: readonly Device[];
  model: DashboardModel;
};

function RequesterProcedures({ id, userId, items, devices, model }: Props) {
  const own = devices.filter(({ ownerId }) => ownerId === userId);
  return (
    <section className="section" aria-labelledby={id}>
      <h2 id={id}>
        <VisibleText>{userId}</VisibleText>
      </h2>
      <ul className="cards">
        {items.map((item) => (
          <ProcedureCard key={item.procedure.name} item={item} devices={own} model={model} />
        ))}
      </ul>
    </section>
  );
}
