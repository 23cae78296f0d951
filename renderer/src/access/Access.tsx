import { Grants } from '../grants/Grants.tsx';
import { People } from '../people/People.tsx';
import type { Room } from '../room.ts';
import { Profiles } from './Profiles.tsx';

/** Grants, requesters with their profiles and keys, and the meaning of each profile. */
export function Access({ room }: { room: Room }) {
  return (
    <div className="sheet">
      <h1>Access</h1>
      <Grants room={room} />
      <People room={room} />
      <Profiles room={room} />
    </div>
  );
}
