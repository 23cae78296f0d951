import { type Guard, guard } from './guards.ts';

const STARTS = 'test/agent/scripts/start-places.test.ts';
const SWAPPED = 'test/agent/files/swapped-folder.test.ts';

/** The guards of files against a program that changes the disk while Handrail looks. */
export const FILES_GUARDS: readonly Guard[] = [
  guard('F10', 'a part of a real path that is a link now is not followed', {
    mark: 'F10-1',
    becomes: 'IS_MAC ? open(join(realPath, single(name)), flags | NO_LINKS) : open(at(name), flags);',
    failed: [SWAPPED, 'F10: no byte from outside is read through a folder that is swapped with a link all the time'],
  }),
  guard('F12', 'the places of Handrail itself are known by device and inode', {
    mark: 'F12-1',
    becomes: 'places.find((place) => identitiesOf(place).length === opened.size + 1e6);',
    failed: [
      'test/services/own-identities.test.ts',
      'F12: a file of the data directory is secret under a second name outside of it',
    ],
  }),
  guard('F13', 'what the trash took is compared with what was judged', {
    mark: 'F13-1',
    becomes: "if (trashedTo === '') return await putBack(trashedTo, { from, realPath });",
    failed: [
      'test/agent/files/trash-and-links.test.ts',
      'F13: a file that was put at the path right before the trash took it goes back',
    ],
  }),
  guard('F14', 'a walk goes behind no link', {
    mark: 'F14-1',
    becomes: "if (IS_MAC || (await readlink(folder.path)) !== '') return folder;",
    failed: [
      'test/agent/look-over.test.ts',
      'F14: nothing is looked over behind a link that has taken the place of a folder',
    ],
  }),
  guard('X18', 'a script gives no file the rights of its owner for others', {
    mark: 'X18-1',
    becomes: '',
    failed: [
      'test/agent/scripts/attacks.test.ts',
      'X18: gives no file the rights of the person for another user who runs it',
    ],
  }),
  guard('X19', 'a script has only the families of sockets that it needs', {
    mark: 'X19-1',
    becomes: '',
    failed: ['test/agent/scripts/attacks.test.ts', 'X19: opens no socket that leads past its network'],
  }),
  guard('X20', 'no program is looked for among those of packages', {
    mark: 'X20-1',
    becomes: '.filter((folder) => isAbsolute(folder) && isKept(folder, uid))',
    failed: [
      'test/launch/safe-path.test.ts',
      'X20: no program is looked for in a folder of packages, of others, or of no fixed place',
    ],
  }),
  guard('X21', 'settings that start commands stay as they are in the folder of a script', {
    mark: 'X21-1',
    becomes: 'return isRepositoryName(basename(path));',
    failed: [STARTS, 'X21: a script leaves %s as it is, which starts commands by itself'],
  }),
  guard('X22', 'new settings that start commands get another name after a script', {
    mark: 'X22-1',
    becomes: 'return !hidden.has(path) && (isRepositoryName(basename(path)) || named.has(path));',
    failed: [STARTS, 'X22: a new %s that a script makes gets a name that starts nothing'],
  }),
];
