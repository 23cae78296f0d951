import { type Guard, guard } from './guards.ts';

const FILES = 'test/agent/files/file-actions.test.ts';
const LOOKS = 'test/agent/files/look-into.test.ts';
const PLACES = 'test/domain/new-places.test.ts';
const UNDO = 'test/agent/files/undo-file.test.ts';
const DISK = 'test/agent/files/disk-full.test.ts';
const ATTACKS = 'test/agent/scripts/attacks.test.ts';
const ENDING = 'test/agent/scripts/ending.test.ts';
const REPOSITORIES = 'test/agent/scripts/repositories.test.ts';
const DESCRIPTORS = 'test/launch/inherited-descriptors.test.ts';
const NETWORK = 'test/agent/scripts/network/attacks.test.ts';

/**
 * The guards of files and scripts: rows F2 to X17 of the attack table. F1 has none that could be taken out alone: a file that is
 * too large is refused by its size, and again while it is read.
 */
export const FILE_GUARDS: readonly Guard[] = [
  guard('F2', 'the file that is opened is the one that was judged', {
    mark: 'F2-1',
    becomes: 'if (secret === undefined && facts.isFile()) return handle;',
    failed: [FILES, 'F2: a link, another file or a pipe that was put in place of the judged file is refused'],
  }),
  guard('F3', 'the agent refuses a secret that the daemon let through', {
    mark: 'F3-1',
    becomes: "if (judged.kind !== 'special') return judged;",
    failed: [FILES, 'F3: secrets are refused by the agent too, under each of their names'],
  }),
  guard('F4', 'a list ends at its limit', {
    mark: 'F4-1',
    becomes: "if (walk.signal.aborted) return 'cut';",
    failed: [FILES, 'F4: a folder of very many files is cut at the limit, and the answer says so'],
  }),
  guard('F5', 'a folder that is moved is searched for secrets', {
    mark: 'F5-1',
    becomes: "if (secret === '') return `it holds ${path}, a secret place (${secret})`;",
    failed: [FILES, 'F5: a folder that holds a secret place is not moved, so that no secret gets a harmless name'],
  }),
  guard('F5', 'a hidden place that no list names is of high risk to change', {
    mark: 'F5-2',
    becomes: 'if (hidden.length < 9 || isHarmless(hidden, access)) return [];',
    failed: ['test/domain/hidden-places.test.ts', '%s is of high risk to write'],
  }),
  guard('F5', 'a folder that is laid out as a repository is one under every name', {
    mark: 'F5-3',
    becomes: '',
    failed: [PLACES, 'a repository without a name of one, moved to %s: %j'],
  }),
  guard('F5', 'the Library of a Mac is a hidden place', {
    mark: 'F5-4',
    becomes: "const first = names.findIndex((name, index) => index >= above && name.startsWith('.'));",
    failed: ['test/domain/hidden-places-mac.test.ts', '%s is of medium risk to read and of high risk to write'],
  }),
  guard('F8', 'the daemon marks what is inside of its program', {
    mark: 'F8-1',
    becomes: 'if (around === null) return { ...file, secret: around.name };',
    failed: [
      'test/services/own-places.test.ts',
      'F8: the program is secret at each path in it, also in other spellings, and nothing of it is passed on',
    ],
  }),
  guard('F8', 'a folder that holds the program or the data stays where it is', {
    mark: 'F8-2',
    becomes:
      "if (held === '' && use === 'moves') return `${found?.realPath} holds ${held}, which must stay where it is.`;",
    failed: [PLACES, 'a folder that holds the program or the data is neither moved nor trashed'],
  }),
  guard('F9', 'a move has the contents that were judged', {
    mark: 'F9-1',
    becomes: '',
    failed: [LOOKS, 'F9: a file that was changed in place, with its times set back'],
  }),
  guard('F9', 'contents that are not known count as dangerous', {
    mark: 'F9-2',
    becomes:
      "const rules: RiskRule[] = isRun && inside === null ? [{ level: 'critical', reason: unknownWords(path, inside) }] : [];",
    failed: [PLACES, '%s: a move to a script, and an artifact'],
  }),
  guard('F9', 'the requester learns nothing of the contents of a moved file', {
    mark: 'F9-3',
    becomes: 'const told = dangers;',
    failed: [
      PLACES,
      'the requester learns nothing of the contents of a file that it moves, since it may not have read it',
    ],
  }),
  guard('F6', 'an undo replaces only the file that the action left', {
    mark: 'F6-1',
    becomes: "return isUntouched ? 'left' : 'other';",
    failed: [UNDO, 'F6: a file that %s stays as it is'],
  }),
  guard('F6', 'an undo takes only the trashed file from the trash', {
    mark: 'F6-2',
    becomes: 'if (found === undefined) return noLongerInTrash(path);',
    failed: [UNDO, 'F6: another file under its name in the trash is not taken'],
  }),
  guard('F6', 'an undo uses only the folder that held the file', {
    mark: 'F6-3',
    becomes: 'if (folder.identity.inode !== judged?.device) return folder;',
    failed: [
      'test/agent/files/resolve-paths.test.ts',
      'F2: a folder that was replaced after it was judged is not opened',
    ],
  }),
  guard('F7', 'a write that fails leaves nothing beside the file', {
    mark: 'F7-1',
    becomes: 'await Promise.resolve();',
    failed: [DISK, 'F7: a disk that is full in the middle of a write keeps the old file whole, and the answer says it'],
  }),
  guard('X1', 'secrets in the folder of a script are hidden from it', {
    mark: 'X1-1',
    becomes: 'if (isDoor) {',
    failed: [ATTACKS, 'X1: reads no secret, by no name and no way round'],
  }),
  guard('X2', 'a script has a network of its own', {
    mark: 'X2-1',
    becomes: "...['--unshare-user', '--disable-userns', '--unshare-ipc', '--unshare-pid', '--unshare-uts'],",
    failed: [ATTACKS, 'X2: reaches no port, no socket, no display and no bus'],
  }),
  guard('X3', 'the settings and hooks of a repository stay as they are', {
    mark: 'X3-1',
    becomes: 'if (facts?.isSymbolicLink() === true) overview.readOnly.push(path);',
    failed: [ATTACKS, 'X3: writes nowhere else, and nothing outside has changed'],
  }),
  guard('X4', 'a script makes no namespace of users', {
    mark: 'X2-1',
    becomes: "...['--unshare-user', '--unshare-ipc', '--unshare-pid', '--unshare-net', '--unshare-uts'],",
    failed: [ATTACKS, 'X4: has no power over processes, mounts and users'],
  }),
  guard('X5', 'a script ends with the agent', {
    mark: 'X5-1',
    becomes: "...['--unshare-cgroup-try', '--new-session', '--cap-drop', 'ALL', '--hostname', 'sandbox'],",
    failed: [ENDING, 'X5: all processes end when the agent dies'],
  }),
  guard('X5', 'a script waits for the word of a living agent', {
    mark: 'X5-2',
    becomes: "const LAUNCHER = [...COMPARISON, 'echo ready >&3', 'exec 3>&-', 'exec \"$@\"'].join('\\n');",
    failed: [ENDING, 'X5: a script %s whose agent died while its sandbox was made does not begin'],
  }),
  guard('X6', 'the memory of all processes of a script is added up', {
    mark: 'X6-1',
    becomes: 'if (sum >= 0) return false;',
    failed: [ENDING, 'X6: %s is ended at 2 GB'],
  }),
  guard('X6', 'a script gets no memory that belongs to no process', {
    mark: 'X6-2',
    becomes: '',
    failed: [ATTACKS, 'X6: gets no memory that belongs to no process'],
  }),
  guard('X6', 'the buffers of sockets count as memory', {
    mark: 'X6-3',
    becomes: 'const sockets = pids[1] === undefined ? 0 : 0 * socketMemoryOf(pids[1]);',
    failed: [ENDING, 'X6: memory that the kernel keeps for sockets is counted'],
  }),
  guard('X7', 'the sandbox compares the folder with the one that was judged', {
    mark: 'X7-1',
    becomes: '\'  [ "$(stat -c %d:%i -- "$1")" = "$2" ] || true\',',
    failed: [ENDING, 'X7: a folder that was replaced after it was judged is refused, and nothing runs'],
  }),
  guard('X8', 'a folder with too many secrets is no place for a script', {
    mark: 'X8-1',
    becomes: 'if (overview.hidden.length < 0)',
    failed: [ENDING, 'X8: a folder with too many secrets is refused'],
  }),
  guard('X9', 'a script reaches only the hosts that it named', {
    mark: 'X9-1',
    becomes: "if (hosts.length === 0) return 'not_named';",
    failed: [
      NETWORK,
      'X9: reaches nothing else by the proxy: no address, no other name or port, no private address behind a name',
    ],
  }),
  guard('X10', 'a repository is known by its name', {
    mark: 'X10-1',
    becomes: "const REPOSITORIES: ReadonlySet<string> = new Set(['.git']);",
    failed: [REPOSITORIES, 'X10: a repository of another program stays as it is: %s'],
  }),
  guard('X11', 'a repository that a script made gets another name', {
    mark: 'X11-1',
    becomes: '',
    failed: [REPOSITORIES, 'X11: a link that was the .git of the folder is not replaced by another one'],
  }),
  guard('X12', 'the folders above a protected place cannot be renamed', {
    mark: 'X12-1',
    becomes: '',
    failed: [REPOSITORIES, 'X12: a folder that holds a hidden place cannot be renamed'],
  }),
  guard('X12', 'a place that was hidden from a script stays secret under another name', {
    mark: 'X12-2',
    becomes: "return chain.length === 0 ? 'a place that was hidden from a script, under another name' : undefined;",
    failed: [REPOSITORIES, 'X12: a place that was hidden from a script stays secret under another name'],
  }),
  guard('X13', 'the launcher closes what a shell left open', {
    mark: 'X13-1',
    becomes: '',
    failed: [DESCRIPTORS, 'X13: the launcher passes no descriptor on'],
  }),
  guard('X13', 'the sandbox gets an empty descriptor in the place of an inherited one', {
    mark: 'X13-2',
    becomes: "all[descriptor] = 'ignore';",
    failed: [DESCRIPTORS, 'X13: a script finds no descriptor, also where its agent has one that would be handed on'],
  }),
  guard('X14', 'the command line gives no code to a program that the daemon started', {
    mark: 'X14-1',
    becomes: 'return (await descends(program.pid, process.pid)) !== undefined;',
    failed: ['test/own-daemon/command-line.test.ts', 'X14: a %s of the daemon gets no code, and none is made'],
  }),
  guard('X14', 'the command line gives no code to a program that took a connection over', {
    mark: 'X14-2',
    becomes: "if (program.kind !== 'program' || asking.isOf(program)) return false;",
    failed: [
      'test/own-daemon/command-line.test.ts',
      'X14: %s gets no code and no end of the stop, and may stop everything',
    ],
  }),
  guard('X16', 'the verbs of the person take the key', {
    mark: 'X16-1',
    becomes: "if (bearerToken(request) !== '') done();",
    failed: ['test/own-daemon/command-line.test.ts', 'is not found by a caller with %s'],
  }),
  guard('X15', 'a script that runs is stopped when its folder is taken back', {
    mark: 'X15-1',
    becomes: "return row.status === 'queued' || (row.status !== 'running' && needsLostFolder(callOff, row));",
    failed: [
      'test/e2e/script-folder.test.ts',
      'X15: a script whose folder was %s is stopped, and nothing is written there any more',
    ],
  }),
  guard('X17', 'a grant for scripts ends where the risk is high', {
    mark: 'X17-1',
    becomes: 'return covers === undefined ? onceOnly !== true : true;',
    failed: [
      'test/domain/run-script.test.ts',
      'X17: a script whose risk was raised by an earlier step is allowed only once',
    ],
  }),
  guard('X17', 'a grant for scripts covers one interpreter', {
    mark: 'X17-2',
    becomes: 'key: canonicalJson({ folder: place }),',
    failed: [
      'test/services/script-grant.test.ts',
      'X17: a grant for a confined script lets further ones of its interpreter through for 15 minutes, and nothing else',
    ],
  }),
  guard('X17', 'a deletion outside of its folder raises the risk of a script', {
    mark: 'X17-3',
    becomes:
      "return words.endsWith(' as administrator') || (OUTSIDE[danger]?.test(words) === true && words === folder);",
    failed: ['test/domain/run-script.test.ts', 'X17: in a confined script, %s makes the risk %s'],
  }),
];
