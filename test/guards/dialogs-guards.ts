import { type Guard, guard } from './guards.ts';

const ATTACKS = 'test/services/file-dialogs.test.ts';
const LINUX = 'test/agent/linux/file-dialog.test.ts';

/** The guards of the dialogs for files: rows N30 to N32 and N46 of the attack table. */
export const DIALOGS_GUARDS: readonly Guard[] = [
  guard('N30', 'a file that would ask as such asks in a dialog', {
    mark: 'N30-1',
    becomes: "return isAtLeast(level, 'critical') ? { level, reason } : { level: 'medium', reason };",
    failed: [ATTACKS, 'N30: opens a file in an allowed folder, and asks about another one with its path'],
  }),
  guard('N30', "Handrail's own data is secret in a dialog, too", {
    mark: 'N30-2',
    becomes: 'return target;',
    failed: [ATTACKS, "N30: a file of Handrail's own data is not opened in a dialog"],
  }),
  guard('N30', 'the file of a dialog is compared before the effect', {
    mark: 'N30-3',
    becomes: "...(isSameFile(judged.dialog, judged.dialog) ? [] : ['the file that its dialog takes']),",
    failed: ['test/agent/targets/recheck.test.ts', 'N30: another file in the dialog since, also by the same name'],
  }),
  guard('N31', 'a dialog that saves is judged as one that writes', {
    mark: 'N48-1',
    becomes:
      "const access = kind === 'open' && isBrowser(control.app) ? 'read' : kind === 'unknown' ? 'write' : 'read';",
    failed: [ATTACKS, 'N31: saves a new file in an allowed folder, and asks about any other'],
  }),
  guard('N31', 'a place from which programs start is critical in a dialog, too', {
    mark: 'N31-1',
    becomes: "return [...contentsAt(realPath, undefined, 'parameters').rules, ...replaces];",
    failed: [ATTACKS, 'N31: asks about a place from which programs start: %s'],
  }),
  guard('N32', 'a press that changes the choice leaves the file unknown', {
    mark: 'N32-1',
    becomes: 'if (file === undefined || path === undefined)',
    failed: [ATTACKS, 'N32: with access, in a file dialog, %s asks'],
  }),
  guard('N32', 'a dialog without objects may be for files', {
    mark: 'N32-2',
    becomes: 'if (app === undefined || above.length === 0) return undefined;',
    failed: [LINUX, 'N32: a dialog that tells nothing of a place may be for files'],
  }),
  guard('N32', 'a text that is on its way leaves the path unknown', {
    mark: 'N32-3',
    becomes: 'return text !== unread.slice(text.length) ? typedPath(asking, widget, text) : undefined;',
    failed: [LINUX, 'N32: the path is unknown while a part of a typed text may be on its way'],
  }),
  guard('N32', 'the words of a search are no path', {
    mark: 'N32-4',
    becomes: 'return childCount < 0;',
    failed: [LINUX, 'N32: beside a selected row a typed path counts only where the field has the keyboard'],
  }),
  guard('N32', 'a panel of a process of its own is a dialog for files', {
    mark: 'N32-5',
    becomes: "return bundleId === undefined ? { dialog: { kind: 'unknown', part: partOf(above) } } : {};",
    failed: [
      'test/agent/macos/file-panels.test.ts',
      'N32: a window of the process that shows the panels of other apps',
    ],
  }),
  guard('N46', 'only some controls of a dialog take its file', {
    mark: 'N46-1',
    becomes: 'if (table === undefined || otherTables.length > 0) return undefined;',
    failed: [LINUX, 'N46: in a dialog that saves, %s does not take the named file'],
  }),
  guard('N46', 'an open popover may lie over the rest of the dialog', {
    mark: 'N46-2',
    becomes: '',
    failed: [LINUX, 'N46: while a popover is open in a dialog that saves, %s does not take the named file'],
  }),
  guard('N46', 'a name in the bar of the title is that of a dialog that saves', {
    mark: 'N46-3',
    becomes: "if (flattened(first).some(isList)) return 'open';",
    failed: [LINUX, 'N46: a dialog saves the name in the bar of its title, whatever row is selected'],
  }),
  guard('N46', 'a button in a row of a panel is no row', {
    mark: 'N46-4',
    becomes: '',
    failed: ['test/agent/macos/file-panels.test.ts', 'N46: a button in a row of a panel is no row'],
  }),
];
