import { type Guard, guard } from './guards.ts';

const STARTS = 'test/agent/scripts/start-places.test.ts';
const SWAPPED = 'test/agent/files/swapped-folder.test.ts';

/** The guards of files against a program that changes the disk while Handrail looks. */
export const FILES_GUARDS: readonly Guard[] = [
  guard('F10', 'a part of a real path that is a link now is not followed', {
    file: 'agent/files/anchored-folder.ts',
    from: 'open(at(name), flags | constants.O_NOFOLLOW);',
    to: 'open(at(name), flags);',
    failed: [SWAPPED, 'F10: no byte from outside is read through a folder that is swapped with a link all the time'],
  }),
  guard('F12', 'the places of Handrail itself are known by device and inode', {
    file: 'src/services/targets/targets.ts',
    from: 'identitiesOf(place).some((own) => opened.has(own))',
    to: 'identitiesOf(place).length === opened.size + 1e6',
    failed: [
      'test/services/own-identities.test.ts',
      'F12: a file of the data directory is secret under a second name outside of it',
    ],
  }),
  guard('F13', 'what the trash took is compared with what was judged', {
    file: 'agent/files/trash-file.ts',
    from: 'if (!(await isJudged(trashedTo, judged)))',
    to: "if (trashedTo === '')",
    failed: [
      'test/agent/files/trash-and-links.test.ts',
      'F13: a file that was put at the path right before the trash took it goes back',
    ],
  }),
  guard('F14', 'a walk goes behind no link', {
    file: 'agent/files/anchored-folder.ts',
    from: '(await readlink(folder.path)) === realPath',
    to: "(await readlink(folder.path)) !== ''",
    failed: [
      'test/agent/look-over.test.ts',
      'F14: nothing is looked over behind a link that has taken the place of a folder',
    ],
  }),
  guard('X18', 'a script gives no file the rights of its owner for others', {
    file: 'agent/scripts/system-calls.ts',
    from: '    ...modes,\n',
    to: '',
    failed: [
      'test/agent/scripts/attacks.test.ts',
      'X18: gives no file the rights of the person for another user who runs it',
    ],
  }),
  guard('X19', 'a script has only the families of sockets that it needs', {
    file: 'agent/scripts/system-calls.ts',
    from: '    ...NEW_SOCKET.flatMap((call) => testOfFamily(call[mine])),\n',
    to: '',
    failed: ['test/agent/scripts/attacks.test.ts', 'X19: opens no socket that leads past its network'],
  }),
  guard('X20', 'no program is looked for among those of packages', {
    file: 'src/launch/safe-path.ts',
    from: ' && !OF_PACKAGES.test(folder)',
    to: '',
    failed: [
      'test/launch/safe-path.test.ts',
      'X20: no program is looked for in a folder of packages, of others, or of no fixed place',
    ],
  }),
  guard('X21', 'settings that start commands stay as they are in the folder of a script', {
    file: 'agent/scripts/look-over.ts',
    from: ' || starts.isOne(path);',
    to: ';',
    failed: [STARTS, 'X21: a script leaves %s as it is, which starts commands by itself'],
  }),
  guard('X22', 'new settings that start commands get another name after a script', {
    file: 'agent/scripts/repositories.ts',
    from: ' || starts.isOne(path));',
    to: ');',
    failed: [STARTS, 'X22: a new %s that a script makes gets a name that starts nothing'],
  }),
];
