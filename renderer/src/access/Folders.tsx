import { type FormEvent, useId, useState } from 'react';
import type { AllowedFolderList, FolderAllowance } from '../../../src/contract/access.ts';
import { nearNames } from '../../../src/contract/near-names.ts';
import { FieldFault, faultOf } from '../controls.tsx';
import type { DashboardModel } from '../dashboard-model.ts';
import { useLoaded, useObservable } from '../hooks.ts';
import { EVERYBODY_ELSE, knownUsers } from '../people/person-rows.ts';
import { Unbroken, VisibleText } from '../VisibleText.tsx';
import { visibleText } from '../visible-text.ts';

type Folder = AllowedFolderList['items'][number];

/** A user id as the daemon checks it, or `*` for every requester. */
const USER_ID = '\\*|[A-Za-z0-9._@:+\\-]{1,128}';

const FRESH: FolderAllowance = { userId: '', path: '', access: 'read' };

/** Allows a folder for one requester or for all. `onDone` is called when the daemon has taken it. */
function FolderForm({ model, onDone }: { model: DashboardModel; onDone: () => void }) {
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

/** The folders that requesters may use. The person allows and removes them here. */
export function Folders({ model }: { model: DashboardModel }) {
  const { value, failure, reload } = useLoaded(model, () => model.client.folders());
  const remove = async (folder: Folder) => {
    await model.act(model.client.removeFolder(folder), `Removed: ${folder.path}`);
    await reload();
  };
  return (
    <section className="section" aria-labelledby="folders-title">
      <h2 id="folders-title">Folders</h2>
      <p className="hint">
        In these folders, reading is low risk and creating a file is medium risk. Elsewhere every file action is high
        risk. Keys, passwords and other secrets are always blocked.
      </p>
      {value === undefined ? (
        <p className="hint">{failure?.detail ?? 'Loading…'}</p>
      ) : (
        <FolderTable folders={value.items} onRemove={remove} />
      )}
      <FolderForm model={model} onDone={() => void reload()} />
    </section>
  );
}

function FolderTable({ folders, onRemove }: { folders: readonly Folder[]; onRemove: (folder: Folder) => unknown }) {
  if (folders.length === 0) return <p className="hint">No folders are allowed.</p>;
  return (
    <table className="access-table" aria-labelledby="folders-title">
      <thead>
        <tr>
          <th scope="col">Folder</th>
          <th scope="col">Requester</th>
          <th scope="col">Access</th>
          <td />
        </tr>
      </thead>
      <tbody>
        {folders.map((folder) => (
          <FolderRow key={`${folder.userId} ${folder.path}`} folder={folder} onRemove={() => void onRemove(folder)} />
        ))}
      </tbody>
    </table>
  );
}

function FolderRow({ folder, onRemove }: { folder: Folder; onRemove: () => void }) {
  const { path, userId, access } = folder;
  const who = userId === EVERYBODY_ELSE ? 'every requester' : userId;
  return (
    <tr>
      <th scope="row">
        <Unbroken after="/">{path}</Unbroken>
      </th>
      <td>
        <VisibleText>{who}</VisibleText>
      </td>
      <td>{access === 'write' ? 'read and write' : 'read only'}</td>
      <td className="access-buttons">
        <button type="button" onClick={onRemove} aria-label={`Remove: ${visibleText(path)} for ${visibleText(who)}`}>
          Remove
        </button>
      </td>
    </tr>
  );
}
