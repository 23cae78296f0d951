import { type FormEvent, useId, useState } from 'react';
import type { FolderAllowance } from '../../../src/contract/console-folders.ts';
import type { DashboardModel } from '../dashboard-model.ts';
import { FieldFault, faultOf } from '../FieldFault.tsx';
import { knownUsers } from '../people/person-rows.ts';
import { useObservable } from '../use-observable.ts';
import { RequesterField } from './RequesterField.tsx';

const FRESH: FolderAllowance = { userId: '', path: '', access: 'read' };

/** Allows a folder for one requester or for all. `onDone` is called when the daemon has taken it. */
export function FolderForm({ model, onDone }: { model: DashboardModel; onDone: () => void }) {
  const [draft, setDraft] = useState(FRESH);
  const [isBusy, setIsBusy] = useState(false);
  const [fault, setFault] = useState<string>();
  const id = useId();
  const { status, profiles } = useObservable(model.feed);
  const allow = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    setIsBusy(true);
    const allowed = await model.client.allowFolder(draft);
    setIsBusy(false);
    setFault(allowed.ok ? undefined : allowed.failure.detail);
    if (!allowed.ok) return;
    await model.act(Promise.resolve(allowed), 'The folder is allowed.');
    setDraft(FRESH);
    onDone();
  };
  return (
    <form className="folder-form" onSubmit={allow} aria-label="Allow a folder">
      <span className="field">
        <label htmlFor={`${id}-path`}>Folder</label>
        <input
          id={`${id}-path`}
          value={draft.path}
          {...faultOf(`${id}-fault`, fault)}
          onChange={({ target }) => setDraft({ ...draft, path: target.value })}
          required
          placeholder="~/Documents"
          title="a whole path, or one that begins with ~/"
          autoComplete="off"
          spellCheck={false}
        />
      </span>
      <span className="field">
        <label htmlFor={`${id}-user`}>For</label>
        <RequesterField
          id={`${id}-user`}
          value={draft.userId}
          known={knownUsers(status?.requesters ?? [], profiles?.assignments ?? [])}
          onChange={(userId) => setDraft({ ...draft, userId })}
        />
      </span>
      <span className="field">
        <label htmlFor={`${id}-access`}>Access</label>
        <select
          id={`${id}-access`}
          value={draft.access}
          onChange={({ target }) => setDraft({ ...draft, access: target.value === 'write' ? 'write' : 'read' })}
        >
          <option value="read">read only</option>
          <option value="write">read and write</option>
        </select>
      </span>
      <button type="submit" aria-disabled={isBusy}>
        Allow the folder
      </button>
      <FieldFault id={`${id}-fault`} fault={fault} />
    </form>
  );
}
