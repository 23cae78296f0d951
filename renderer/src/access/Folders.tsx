import type { AllowedFolderList } from '../../../src/contract/access.ts';
import type { DashboardModel } from '../dashboard-model.ts';
import { EVERYBODY_ELSE } from '../people/person-rows.ts';
import { Unbroken } from '../Unbroken.tsx';
import { useLoaded } from '../use-loaded.ts';
import { VisibleText } from '../VisibleText.tsx';
import { visibleText } from '../visible-text.ts';
import { FolderForm } from './FolderForm.tsx';

type Folder = AllowedFolderList['items'][number];

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
