import { type FormEvent, useId, useState } from 'react';
import type { FolderAllowance } from '../../../src/contract/access.ts';
import { nearNames } from '../../../src/contract/near-names.ts';
import type { DashboardModel } from '../dashboard-model.ts';
import { FieldFault, faultOf } from '../FieldFault.tsx';
import { EVERYBODY_ELSE, knownUsers } from '../people/person-rows.ts';
import { useObservable } from '../use-observable.ts';
import { VisibleText } from '../VisibleText.tsx';
import { visibleText } from '../visible-text.ts';

/** A user id as the daemon checks it, or `*` for every requester. */
const USER_ID = '\\*|[A-Za-z0-9._@:+\\-]{1,128}';

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

type Props = {
  id: string;
  value: string;
  /** User ids. */
  known: readonly string[];
  onChange: (userId: string) => void;
};

/** The requester that a rule is for: one of those that have asked, all of them, or a name that warns that nobody has used it. */
function RequesterField({ id, value, known, onChange }: Props) {
  const own = useId();
  const isNew = value !== '' && value !== EVERYBODY_ELSE && !known.includes(value);
  const near = isNew ? nearNames(value, known).slice(0, 2) : [];
  return (
    <>
      <input
        id={id}
        list={`${own}-known`}
        value={value}
        onChange={({ target }) => onChange(target.value)}
        required
        pattern={USER_ID}
        placeholder="requester, or * for all"
        title="a requester, or * for every requester"
        autoComplete="off"
        spellCheck={false}
        aria-describedby={`${own}-new`}
      />
      <datalist id={`${own}-known`}>
        {known.map((userId) => (
          <option key={userId} value={userId} />
        ))}
        <option value={EVERYBODY_ELSE}>every requester</option>
      </datalist>
      <span id={`${own}-new`} className="unknown-requester" role="status">
        {isNew && (
          <>
            <span aria-hidden="true">▲ </span>No requester is called <VisibleText>{value}</VisibleText> yet. Check the
            name.
          </>
        )}
      </span>
      {near.map((userId) => (
        <button key={userId} type="button" onClick={() => onChange(userId)}>
          Take {visibleText(userId)}
        </button>
      ))}
    </>
  );
}
