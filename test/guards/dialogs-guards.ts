import { type Guard, guard } from './guards.ts';

const RULES = 'src/domain/catalogue/hands/file-dialog.ts';
const ATTACKS = 'test/services/file-dialogs.test.ts';
const LINUX = 'test/agent/linux/file-dialog.test.ts';

/** The guards of the dialogs for files: rows N30 to N32 and N46 of the attack table. */
export const DIALOGS_GUARDS: readonly Guard[] = [
  guard('N30', 'a file that would ask as such asks in a dialog', {
    file: RULES,
    from: "return { level: isAtLeast(level, 'high') ? level : 'high', reason };",
    to: "return isAtLeast(level, 'critical') ? { level, reason } : { level: 'medium', reason };",
    failed: [ATTACKS, 'N30: opens a file in an allowed folder, and asks about another one with its path'],
  }),
  guard('N30', "Handrail's own data is secret in a dialog, too", {
    file: 'src/services/targets/targets.ts',
    from: "return 'control' in target ? { ...target, control: markedIn(target.control, places) } : target;",
    to: 'return target;',
    failed: [ATTACKS, "N30: a file of Handrail's own data is not opened in a dialog"],
  }),
  guard('N30', 'the file of a dialog is compared before the effect', {
    file: 'agent/targets/recheck.ts',
    from: '...(isSameFile(judged.dialog, now.dialog) ? [] :',
    to: '...(isSameFile(judged.dialog, judged.dialog) ? [] :',
    failed: ['test/agent/targets/recheck.test.ts', 'N30: another file in the dialog since, also by the same name'],
  }),
  guard('N31', 'a dialog that saves is judged as one that writes', {
    file: RULES,
    from: "kind === 'open' && isBrowser(control.app) ? 'read' : 'write';",
    to: "kind === 'open' && isBrowser(control.app) ? 'read' : kind === 'unknown' ? 'write' : 'read';",
    failed: [ATTACKS, 'N31: saves a new file in an allowed folder, and asks about any other'],
  }),
  guard('N31', 'a place from which programs start is critical in a dialog, too', {
    file: RULES,
    from: '...placeRules(realPath), ',
    to: '',
    failed: [ATTACKS, 'N31: asks about a place from which programs start: %s'],
  }),
  guard('N32', 'a press that changes the choice leaves the file unknown', {
    file: RULES,
    from: " || press === 'changes')",
    to: ')',
    failed: [ATTACKS, 'N32: with access, in a file dialog, %s asks'],
  }),
  guard('N32', 'a dialog without objects may be for files', {
    file: 'agent/drivers/linux/input/file-dialog.ts',
    from: 'return isDialog ? UNTOLD : undefined;',
    to: 'return undefined;',
    failed: [LINUX, 'N32: a dialog that tells nothing of a place may be for files'],
  }),
  guard('N32', 'a text that is on its way leaves the path unknown', {
    file: 'agent/drivers/linux/input/file-dialog.ts',
    from: 'text.includes(unread) ?',
    to: 'text !== unread.slice(text.length) ?',
    failed: [LINUX, 'N32: the path is unknown while a part of a typed text may be on its way'],
  }),
  guard('N32', 'the words of a search are no path', {
    file: 'agent/drivers/linux/input/file-dialog.ts',
    from: 'return childCount !== 0;',
    to: 'return childCount < 0;',
    failed: [LINUX, 'N32: beside a selected row a typed path counts only where the field has the keyboard'],
  }),
  guard('N32', 'a panel of a process of its own is a dialog for files', {
    file: 'agent/drivers/macos/scripts/input-elements.js',
    from: 'return bundleId === PANEL_SERVICE ?',
    to: 'return bundleId === undefined ?',
    failed: [
      'test/agent/macos/file-panels.test.ts',
      'N32: a window of the process that shows the panels of other apps',
    ],
  }),
  guard('N46', 'only some controls of a dialog take its file', {
    file: 'agent/drivers/linux/input/file-dialog.ts',
    from: ' || !mayTake(above, table)) return undefined;',
    to: ') return undefined;',
    failed: [LINUX, 'N46: in a dialog that saves, %s does not take the named file'],
  }),
  guard('N46', 'an open popover may lie over the rest of the dialog', {
    file: 'agent/drivers/linux/input/file-dialog.ts',
    from: "if (reader.isBehind(above)) return { kind, part: 'other' };",
    to: '',
    failed: [LINUX, 'N46: while a popover is open in a dialog that saves, %s does not take the named file'],
  }),
  guard('N46', 'a name in the bar of the title is that of a dialog that saves', {
    file: 'agent/drivers/linux/input/file-dialog.ts',
    from: 'if (inBar.length === 0 && flattened',
    to: 'if (flattened',
    failed: [LINUX, 'N46: a dialog saves the name in the bar of its title, whatever row is selected'],
  }),
  guard('N46', 'a button in a row of a panel is no row', {
    file: 'agent/drivers/macos/scripts/input-elements.js',
    from: "if (roles[0] === 'AXButton' || roles[0] === 'AXMenuItem') return 'other';",
    to: '',
    failed: ['test/agent/macos/file-panels.test.ts', 'N46: a button in a row of a panel is no row'],
  }),
];
