/**
 * How an accessible role is treated. `control`: described with its name, which is a label. `structure`: a container,
 * described without a name. `content`: a text that a person wrote or reads; described, with everything in it, only with
 * `contents`. `transparent`: left out, but its children are described.
 */
export type RoleKind = 'control' | 'structure' | 'content' | 'transparent';

export type AriaRole = { role: string; kind: RoleKind };

/** The AT-SPI role of fields whose value is never read. */
export const PASSWORD_ROLE = 40;

/** Toolkits whose windows show pages. */
export const BROWSER_ENGINES: ReadonlySet<string> = new Set(['Chromium', 'Gecko', 'WebKitGTK', 'WebKitGtk']);

/** The ARIA role for a role number of AT-SPI (AtspiRole in atspi-constants.h). */
export function ariaRoleOf(atspiRole: number): AriaRole {
  return TABLE.get(atspiRole) ?? { role: 'generic', kind: 'transparent' };
}

const CONTROLS: readonly (readonly [atspiRole: number, role: string])[] = [
  [7, 'checkbox'],
  [8, 'menuitemcheckbox'],
  [9, 'button'],
  [10, 'columnheader'],
  [11, 'combobox'],
  [12, 'spinbutton'],
  [15, 'slider'],
  [22, 'button'],
  [33, 'menuitem'],
  [35, 'menuitem'],
  [37, 'tab'],
  [PASSWORD_ROLE, 'textbox'],
  [42, 'progressbar'],
  [43, 'button'],
  [44, 'radio'],
  [45, 'menuitemradio'],
  [51, 'slider'],
  [52, 'spinbutton'],
  [57, 'columnheader'],
  [59, 'menuitem'],
  [60, 'textbox'],
  [61, 'textbox'],
  [62, 'button'],
  [76, 'combobox'],
  [77, 'textbox'],
  [79, 'textbox'],
  [88, 'link'],
  [103, 'meter'],
  [114, 'slider'],
  [129, 'button'],
  [130, 'switch'],
];

const STRUCTURES: readonly (readonly [atspiRole: number, role: string])[] = [
  [2, 'alertdialog'],
  [5, 'grid'],
  [16, 'dialog'],
  [19, 'dialog'],
  [23, 'window'],
  [28, 'window'],
  [31, 'list'],
  [34, 'menubar'],
  [38, 'tablist'],
  [41, 'menu'],
  [54, 'status'],
  [55, 'table'],
  [63, 'toolbar'],
  [65, 'tree'],
  [66, 'treegrid'],
  [69, 'window'],
  [87, 'form'],
  [98, 'listbox'],
  [102, 'status'],
  [110, 'region'],
];

const CONTENTS: readonly (readonly [atspiRole: number, role: string])[] = [
  [3, 'img'],
  [6, 'img'],
  [13, 'img'],
  [18, 'img'],
  [25, 'document'],
  [26, 'img'],
  [27, 'img'],
  [29, 'paragraph'],
  [32, 'listitem'],
  [47, 'rowheader'],
  [56, 'cell'],
  [58, 'rowheader'],
  [64, 'tooltip'],
  [73, 'paragraph'],
  [80, 'img'],
  [81, 'caption'],
  [82, 'document'],
  [83, 'heading'],
  [84, 'document'],
  [90, 'row'],
  [91, 'treeitem'],
  [92, 'document'],
  [93, 'document'],
  [94, 'document'],
  [95, 'document'],
  [96, 'document'],
  [97, 'comment'],
  [100, 'img'],
  [101, 'alert'],
  [105, 'blockquote'],
  [108, 'definition'],
  [109, 'article'],
  [111, 'log'],
  [112, 'marquee'],
  [113, 'math'],
  [115, 'timer'],
  [116, 'paragraph'],
  [122, 'term'],
  [123, 'definition'],
  [124, 'note'],
  [127, 'mark'],
  [128, 'suggestion'],
];

const TABLE: ReadonlyMap<number, AriaRole> = new Map([
  ...rows(CONTROLS, 'control'),
  ...rows(STRUCTURES, 'structure'),
  ...rows(CONTENTS, 'content'),
]);

/** The AT-SPI roles that have an ARIA role. */
export function atspiRolesOf(role: string): number[] {
  return [...TABLE].filter(([, aria]) => aria.role === role).map(([atspiRole]) => atspiRole);
}

/** The AT-SPI roles that a description includes. */
export const DESCRIBED_ROLES: readonly number[] = [...TABLE.keys()];

function rows(roles: readonly (readonly [number, string])[], kind: RoleKind): [number, AriaRole][] {
  return roles.map(([atspiRole, role]) => [atspiRole, { role, kind }]);
}
