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
const BUBBLEWRAP = 'agent/scripts/bubblewrap.ts';

/**
 * The guards of files and scripts: rows F2 to X17 of the attack table. F1 has none that could be taken out alone: a file that is
 * too large is refused by its size, and again while it is read.
 */
export const FILE_GUARDS: readonly Guard[] = [
  guard('F2', 'the file that is opened is the one that was judged', {
    file: 'agent/files/judged-file.ts',
    from: 'facts.isFile() && isSame(identityOf(facts), judged.identity)) return handle;',
    to: 'facts.isFile()) return handle;',
    failed: [FILES, 'F2: a link, another file or a pipe that was put in place of the judged file is refused'],
  }),
  guard('F3', 'the agent refuses a secret that the daemon let through', {
    file: 'agent/files/judged-file.ts',
    from: "if (judged.secret === undefined && judged.kind !== 'special') return judged;",
    to: "if (judged.kind !== 'special') return judged;",
    failed: [FILES, 'F3: secrets are refused by the agent too, under each of their names'],
  }),
  guard('F4', 'a list ends at its limit', {
    file: 'agent/files/list-files.ts',
    from: 'if (walk.entries.length >= walk.limit || walk.signal.aborted)',
    to: 'if (walk.signal.aborted)',
    failed: [FILES, 'F4: a folder of very many files is cut at the limit, and the answer says so'],
  }),
  guard('F5', 'a folder that is moved is searched for secrets', {
    file: 'agent/files/secrets.ts',
    from: 'if (secret !== undefined) return',
    to: "if (secret === '') return",
    failed: [FILES, 'F5: a folder that holds a secret place is not moved, so that no secret gets a harmless name'],
  }),
  guard('F5', 'a hidden place that no list names is of high risk to change', {
    file: 'src/domain/catalogue/file-target.ts',
    from: 'if (hidden.length === 0 || isHarmless(hidden, access)) return [];',
    to: 'if (hidden.length < 9 || isHarmless(hidden, access)) return [];',
    failed: ['test/domain/hidden-places.test.ts', '%s is of high risk to write'],
  }),
  guard('F5', 'a folder that is laid out as a repository is one under every name', {
    file: 'src/domain/catalogue/file-actions.ts',
    from: '    ...repositoriesIn(names),\n',
    to: '',
    failed: [PLACES, 'a repository without a name of one, moved to %s: %j'],
  }),
  guard('F5', 'the Library of a Mac is a hidden place', {
    file: 'src/domain/catalogue/file-target.ts',
    from: "(name.startsWith('.') || isLibrary(names, index))",
    to: "name.startsWith('.')",
    failed: ['test/domain/hidden-places-mac.test.ts', '%s is of medium risk to read and of high risk to write'],
  }),
  guard('F8', 'the daemon marks what is inside of its program', {
    file: 'src/services/targets/targets.ts',
    from: 'if (around !== undefined) return',
    to: 'if (around === null) return',
    failed: [
      'test/services/own-places.test.ts',
      'F8: the program is secret at each path in it, also in other spellings, and nothing of it is passed on',
    ],
  }),
  guard('F8', 'a folder that holds the program or the data stays where it is', {
    file: 'src/domain/catalogue/file-target.ts',
    from: "if (held !== undefined && use === 'moves')",
    to: "if (held === '' && use === 'moves')",
    failed: [PLACES, 'a folder that holds the program or the data is neither moved nor trashed'],
  }),
  guard('F9', 'a move has the contents that were judged', {
    file: 'agent/files/move-file.ts',
    from: '    if (await hasOtherContents(source)) return otherContents(source.realPath);\n',
    to: '',
    failed: [LOOKS, 'F9: a file that was changed in place, with its times set back'],
  }),
  guard('F9', 'contents that are not known count as dangerous', {
    file: 'src/domain/catalogue/file-contents.ts',
    from: 'isRun && !isKnown',
    to: 'isRun && inside === null',
    failed: [PLACES, '%s: a move to a script, and an artifact'],
  }),
  guard('F9', 'the requester learns nothing of the contents of a moved file', {
    file: 'src/domain/catalogue/file-actions.ts',
    from: 'const told = dangers.map(({ level }) => ({ level, reason: NOT_TOLD }));',
    to: 'const told = dangers;',
    failed: [
      PLACES,
      'the requester learns nothing of the contents of a file that it moves, since it may not have read it',
    ],
  }),
  guard('F6', 'an undo replaces only the file that the action left', {
    file: 'agent/files/undo-file.ts',
    from: "return isUntouched && sha256 === left.sha256 && isSame(identityOf(facts), left.identity) ? 'left' : 'other';",
    to: "return isUntouched ? 'left' : 'other';",
    failed: [UNDO, 'F6: a file that %s stays as it is'],
  }),
  guard('F6', 'an undo takes only the trashed file from the trash', {
    file: 'agent/files/undo-file.ts',
    from: 'if (!isSame(found, left.identity)) return noLongerInTrash(path);',
    to: 'if (found === undefined) return noLongerInTrash(path);',
    failed: [UNDO, 'F6: another file under its name in the trash is not taken'],
  }),
  guard('F6', 'an undo uses only the folder that held the file', {
    file: 'agent/files/anchored-folder.ts',
    from: 'if (isSame(folder.identity, judged)) return folder;',
    to: 'if (folder.identity.inode !== judged?.device) return folder;',
    failed: [
      'test/agent/files/resolve-paths.test.ts',
      'F2: a folder that was replaced after it was judged is not opened',
    ],
  }),
  guard('F7', 'a write that fails leaves nothing beside the file', {
    file: 'agent/files/write-file.ts',
    from: 'await unlink(temporary).catch(() => undefined);',
    to: 'await Promise.resolve();',
    failed: [DISK, 'F7: a disk that is full in the middle of a write keeps the old file whole, and the answer says it'],
  }),
  guard('X1', 'secrets in the folder of a script are hidden from it', {
    file: 'agent/scripts/look-over.ts',
    from: 'if (isDoor || isSecret) {',
    to: 'if (isDoor) {',
    failed: [ATTACKS, 'X1: reads no secret, by no name and no way round'],
  }),
  guard('X2', 'a script has a network of its own', {
    file: BUBBLEWRAP,
    from: "'--unshare-net', ",
    to: '',
    failed: [ATTACKS, 'X2: reaches no port, no socket, no display and no bus'],
  }),
  guard('X3', 'the settings and hooks of a repository stay as they are', {
    file: 'agent/scripts/look-over.ts',
    from: 'if (facts?.isSymbolicLink() !== true) overview.readOnly.push(path);',
    to: 'if (facts?.isSymbolicLink() === true) overview.readOnly.push(path);',
    failed: [ATTACKS, 'X3: writes nowhere else, and nothing outside has changed'],
  }),
  guard('X4', 'a script makes no namespace of users', {
    file: BUBBLEWRAP,
    from: "'--disable-userns', ",
    to: '',
    failed: [ATTACKS, 'X4: has no power over processes, mounts and users'],
  }),
  guard('X5', 'a script ends with the agent', {
    file: BUBBLEWRAP,
    from: "'--die-with-parent', ",
    to: '',
    failed: [ENDING, 'X5: all processes end when the agent dies'],
  }),
  guard('X5', 'a script waits for the word of a living agent', {
    file: BUBBLEWRAP,
    from: "'read -r _ <&3 || exit 1', ",
    to: '',
    failed: [ENDING, 'X5: a script %s whose agent died while its sandbox was made does not begin'],
  }),
  guard('X6', 'the memory of all processes of a script is added up', {
    file: 'agent/scripts/process-tree.ts',
    from: 'if (sum <= LIMITS.totalBytes) return false;',
    to: 'if (sum >= 0) return false;',
    failed: [ENDING, 'X6: %s is ended at 2 GB'],
  }),
  guard('X6', 'a script gets no memory that belongs to no process', {
    file: 'agent/scripts/system-calls.ts',
    from: '  memfd_create: [319, 279],\n',
    to: '',
    failed: [ATTACKS, 'X6: gets no memory that belongs to no process'],
  }),
  guard('X6', 'the buffers of sockets count as memory', {
    file: 'agent/scripts/process-tree.ts',
    from: 'const sockets = pids[1] === undefined ? 0 : socketMemoryOf(pids[1]);',
    to: 'const sockets = pids[1] === undefined ? 0 : 0 * socketMemoryOf(pids[1]);',
    failed: [ENDING, 'X6: memory that the kernel keeps for sockets is counted'],
  }),
  guard('X7', 'the sandbox compares the folder with the one that was judged', {
    file: BUBBLEWRAP,
    from: '|| { echo changed >&3; exit 1; }',
    to: '|| true',
    failed: [ENDING, 'X7: a folder that was replaced after it was judged is refused, and nothing runs'],
  }),
  guard('X8', 'a folder with too many secrets is no place for a script', {
    file: 'agent/scripts/run-script.ts',
    from: 'if (overview.hidden.length > MOST_HIDDEN)',
    to: 'if (overview.hidden.length < 0)',
    failed: [ENDING, 'X8: a folder with too many secrets is refused'],
  }),
  guard('X9', 'a script reaches only the hosts that it named', {
    file: 'agent/scripts/network/gate.ts',
    from: "if (!hosts.some((named) => named.host === host && named.ports.includes(port))) return 'not_named';",
    to: "if (hosts.length === 0) return 'not_named';",
    failed: [
      NETWORK,
      'X9: reaches nothing else by the proxy: no address, no other name or port, no private address behind a name',
    ],
  }),
  guard('X10', 'a repository is known by its name', {
    file: 'agent/scripts/repositories.ts',
    from: "new Set(['.git', '.hg', '.jj'])",
    to: "new Set(['.git'])",
    failed: [REPOSITORIES, 'X10: a repository of another program stays as it is: %s'],
  }),
  guard('X11', 'a repository that a script made gets another name', {
    file: 'agent/scripts/repositories.ts',
    from: 'await withRights(folder, () => rename(folder.at(name), folder.at(free)));',
    to: '',
    failed: [REPOSITORIES, 'X11: a link that was the .git of the folder is not replaced by another one'],
  }),
  guard('X12', 'the folders above a protected place cannot be renamed', {
    file: BUBBLEWRAP,
    from: "...pinned(sandbox).map((path) => ({ path, mount: ['--bind', path, path] })),",
    to: '',
    failed: [REPOSITORIES, 'X12: a folder that holds a hidden place cannot be renamed'],
  }),
  guard('X12', 'a place that was hidden from a script stays secret under another name', {
    file: 'agent/files/secrets.ts',
    from: 'return chain.some(wasHidden)',
    to: 'return chain.length === 0',
    failed: [REPOSITORIES, 'X12: a place that was hidden from a script stays secret under another name'],
  }),
  guard('X13', 'the launcher closes what a shell left open', {
    file: 'src/launch/launch.cjs',
    from: 'function launch(words) {\n  closeInheritedDescriptors();\n',
    to: 'function launch(words) {\n',
    failed: [DESCRIPTORS, 'X13: the launcher passes no descriptor on'],
  }),
  guard('X13', 'the sandbox gets an empty descriptor in the place of an inherited one', {
    file: 'agent/scripts/run-sandboxed.ts',
    from: "all[descriptor] = empty ?? 'ignore';",
    to: "all[descriptor] = 'ignore';",
    failed: [DESCRIPTORS, 'X13: a script finds no descriptor, also where its agent has one that would be handed on'],
  }),
  guard('X14', 'the command line gives no code to a program that the daemon started', {
    file: 'src/http/routes/command-line.ts',
    from: 'return (await descends(program.pid, process.pid)) === false;',
    to: 'return (await descends(program.pid, process.pid)) !== undefined;',
    failed: ['test/own-daemon/command-line.test.ts', 'X14: a %s of the daemon gets no code, and none is made'],
  }),
  guard('X14', 'the command line gives no code to a program that took a connection over', {
    file: 'src/http/routes/command-line.ts',
    from: "program.kind !== 'program' || program.changedFrom !== undefined",
    to: "program.kind !== 'program'",
    failed: [
      'test/own-daemon/command-line.test.ts',
      'X14: %s gets no code and no end of the stop, and may stop everything',
    ],
  }),
  guard('X16', 'the verbs of the person take the key', {
    file: 'src/http/routes/command-line.ts',
    from: 'if (isEqual(bearerToken(request), key)) done();',
    to: "if (bearerToken(request) !== '') done();",
    failed: ['test/own-daemon/command-line.test.ts', 'is not found by a caller with %s'],
  }),
  guard('X15', 'a script that runs is stopped when its folder is taken back', {
    file: 'src/services/actions/call-offs.ts',
    from: "return row.status === 'queued' || needsLostFolder(callOff, row);",
    to: "return row.status === 'queued' || (row.status !== 'running' && needsLostFolder(callOff, row));",
    failed: [
      'test/e2e/script-folder.test.ts',
      'X15: a script whose folder was %s is stopped, and nothing is written there any more',
    ],
  }),
  guard('X17', 'a grant for scripts ends where the risk is high', {
    file: 'src/domain/grant.ts',
    from: ": !isAtLeast(risk.level, 'high');",
    to: ': true;',
    failed: [
      'test/domain/run-script.test.ts',
      'X17: a script whose risk was raised by an earlier step is allowed only once',
    ],
  }),
  guard('X17', 'a grant for scripts covers one interpreter', {
    file: 'src/domain/catalogue/run-script.ts',
    from: 'canonicalJson({ interpreter, folder: place })',
    to: 'canonicalJson({ folder: place })',
    failed: [
      'test/services/script-grant.test.ts',
      'X17: a grant for a confined script lets further ones of its interpreter through for 15 minutes, and nothing else',
    ],
  }),
  guard('X17', 'a deletion outside of its folder raises the risk of a script', {
    file: 'src/domain/scripts/noticed-words.ts',
    from: 'mayLieOutside(words, folder));',
    to: 'words === folder);',
    failed: ['test/domain/run-script.test.ts', 'X17: in a confined script, %s makes the risk %s'],
  }),
];
