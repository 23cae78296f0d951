import type { AllowedFolderList, FolderAllowance } from '../contract/console-folders.ts';
import type { Reply } from './reply.ts';

type Send = <Value>(line: string, body?: object) => Promise<Reply<Value>>;

/** Calls about the folders that requesters may use. Each answers with all folders. */
export function folderCalls(send: Send) {
  return {
    folders: () => send<AllowedFolderList>('GET /api/console/folders'),
    /** Allows a folder, or changes the access to one that is allowed. */
    allowFolder: (folder: FolderAllowance) => send<AllowedFolderList>('PUT /api/console/folders', folder),
    removeFolder: ({ userId, path }: Pick<FolderAllowance, 'userId' | 'path'>) =>
      send<AllowedFolderList>('POST /api/console/folders/remove', { userId, path }),
  };
}
