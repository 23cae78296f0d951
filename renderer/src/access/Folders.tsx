import type { AllowedFolderList } from '../../../src/contract/console-folders.ts';
import type { DashboardModel } from '../dashboard-model.ts';
import { EVERYBODY_ELSE } from '../people/person-rows.ts';
import { visibleText } from '../prompt/visible-text.ts';
import { useLoaded } from '../use-loaded.ts';
import { VisibleText } from '../VisibleText.tsx';
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
        In an allowed folder, reading is low risk and creating a file is medium risk. Outside of these folders every
        file action is high risk. Secrets such as keys and passwords are blocked everywhere.
      </p>
      {value === undefined ? (
        <p className="hint">{failure?.detail ?? 'Loading…'}</p>
      ) : (
        <ul className="cards">
          {value.items.map((folder) => (
            <FolderRow key={`${folder.userId} ${folder.path}`} folder={folder} onRemove={() => void remove(folder)} />
          ))}
        </ul>
      )}
      {value?.items.length === 0 && <p className="hint">No folders are allowed.</p>}
      <FolderForm model={model} onDone={() => void reload()} />
    </section>
  );
}

function FolderRow({ folder, onRemove }: { folder: Folder; onRemove: () => void }) {
  const { path, userId, access } = folder;
  const who = userId === EVERYBODY_ELSE ? 'every requester' : userId;
  return (
    <li className="grant">
      <div>
        <p className="grant-literal">
          <VisibleText>{path}</VisibleText>
        </p>
        <p className="hint">
          <VisibleText>{who}</VisibleText> · {access === 'write' ? 'read and write' : 'read only'}
        </p>
      </div>
      <button type="button" onClick={onRemove} aria-label={`Remove: ${visibleText(path)} for ${visibleText(who)}`}>
        Remove
      </button>
    </li>
  );
}
