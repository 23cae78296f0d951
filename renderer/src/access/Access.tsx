import type { DashboardModel } from '../dashboard-model.ts';
import { Grants } from '../grants/Grants.tsx';
import { People } from '../people/People.tsx';
import { Folders } from './Folders.tsx';
import { Profiles } from './Profiles.tsx';

/** Grants, allowed folders, requesters with their profiles and keys, and the meaning of each profile. */
export function Access({ model }: { model: DashboardModel }) {
  return (
    <div className="sheet">
      <h1>Access</h1>
      <Grants model={model} />
      <Folders model={model} />
      <People model={model} />
      <Profiles model={model} />
    </div>
  );
}
