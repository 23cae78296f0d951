import type { Grant } from '../../../src/contract/console.ts';
import type { DashboardModel } from '../dashboard-model.ts';
import { useNow, useObservable } from '../hooks.ts';
import { People } from '../people/People.tsx';
import { timeAgo, timeAhead } from '../time-words.ts';
import { VisibleText } from '../VisibleText.tsx';
import { visibleText } from '../visible-text.ts';
import { Folders } from './Folders.tsx';
import { Profiles } from './Profiles.tsx';

/** Every grant, each with a button that revokes it. */
function Grants({ model }: { model: DashboardModel }) {
  const { grants = [] } = useObservable(model.feed);
  const now = useNow(30_000);
  const revoke = ({ id, literal }: Grant) => model.act(model.client.revoke(id), `Revoked: ${literal}`);
  return (
    <section className="section" aria-labelledby="grants-title">
      <h2 id="grants-title">Grants</h2>
      {grants.length === 0 ? (
        <p className="hint">No grants. What you allow for longer than once is listed here until it ends.</p>
      ) : (
        <>
          <p className="hint">
            What you allowed for longer than once. Revoking a grant also stops its actions that have not started.
          </p>
          <table className="access-table" aria-labelledby="grants-title">
            <thead>
              <tr>
                <th scope="col">Allowed</th>
                <th scope="col">Requester</th>
                <th scope="col">Used</th>
                <th scope="col">Ends</th>
                <td />
              </tr>
            </thead>
            <tbody>
              {grants.map((grant) => (
                <GrantRow key={grant.id} grant={grant} now={now} onRevoke={() => revoke(grant)} />
              ))}
            </tbody>
          </table>
        </>
      )}
    </section>
  );
}

function GrantRow({ grant, now, onRevoke }: { grant: Grant; now: number; onRevoke: () => void }) {
  const { userId, literal, useCount, lastUsedAt, expiresAt } = grant;
  const times = useCount === 1 ? 'once' : `${useCount} times`;
  const lastUse = lastUsedAt === undefined ? '' : `, last ${timeAgo(Date.parse(lastUsedAt), now)}`;
  return (
    <tr>
      <th scope="row" className="grant-literal">
        <VisibleText>{literal}</VisibleText>
      </th>
      <td className="one-line">
        <VisibleText>{userId}</VisibleText>
      </td>
      {/* The request that it was given for does not count. */}
      <td data-name="Used">{useCount === 0 ? 'not again yet' : `${times}${lastUse}`}</td>
      <td className="one-line" data-name="Ends">
        {timeAhead(Date.parse(expiresAt), now)}
      </td>
      <td className="access-buttons">
        <button type="button" onClick={onRevoke} aria-label={`Revoke: ${visibleText(literal)}`}>
          Revoke
        </button>
      </td>
    </tr>
  );
}

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
