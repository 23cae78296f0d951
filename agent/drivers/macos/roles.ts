/**
 * How an accessible role is treated. `control`: described with its name, which is a label. `structure`: a container,
 * described without a name unless contents are asked for. `content`: a text that a person wrote or reads; described, with
 * everything in it, only with contents. A role without a kind is left out, but its children are described.
 */
export type RoleKind = 'control' | 'structure' | 'content';

/** The ARIA role for a role and subrole of the macOS accessibility interface; the subrole decides where it says more. */
export function ariaRoleOf({ role, subrole }: { role: string; subrole: string }): string {
  return ROLES.get(subrole)?.aria ?? ROLES.get(role)?.aria ?? 'generic';
}

/**
 * Roles and subroles with their ARIA names: after the W3C's Core Accessibility API Mappings where these name one for
 * macOS, otherwise after what AppKit uses the role for.
 */
const CONTROLS = {
  AXButton: 'button',
  AXMenuButton: 'button',
  AXPopUpButton: 'combobox',
  AXCheckBox: 'checkbox',
  AXRadioButton: 'radio',
  AXSwitch: 'switch',
  AXToggle: 'switch',
  AXTabButton: 'tab',
  AXTextField: 'textbox',
  AXTextArea: 'textbox',
  AXSearchField: 'searchbox',
  AXSecureTextField: 'textbox',
  AXComboBox: 'combobox',
  AXSlider: 'slider',
  AXIncrementor: 'spinbutton',
  AXDateTimeArea: 'spinbutton',
  AXColorWell: 'button',
  AXDisclosureTriangle: 'button',
  AXDockItem: 'button',
  AXSortButton: 'columnheader',
  AXProgressIndicator: 'progressbar',
  AXBusyIndicator: 'progressbar',
  AXLevelIndicator: 'meter',
  AXRelevanceIndicator: 'meter',
  AXLink: 'link',
  AXMenuBarItem: 'menuitem',
  AXMenuItem: 'menuitem',
} as const;

const STRUCTURES = {
  AXWindow: 'window',
  AXDialog: 'dialog',
  AXSystemDialog: 'dialog',
  AXSheet: 'dialog',
  AXPopover: 'dialog',
  AXDrawer: 'region',
  AXApplicationDialog: 'dialog',
  AXApplicationAlertDialog: 'alertdialog',
  AXMenuBar: 'menubar',
  AXMenu: 'menu',
  AXToolbar: 'toolbar',
  AXTabGroup: 'tablist',
  AXTabPanel: 'tabpanel',
  AXRadioGroup: 'radiogroup',
  AXTable: 'table',
  AXGrid: 'grid',
  AXOutline: 'tree',
  AXBrowser: 'tree',
  AXList: 'list',
} as const;

const CONTENTS = {
  AXStaticText: 'paragraph',
  AXHeading: 'heading',
  AXImage: 'img',
  AXRow: 'row',
  AXOutlineRow: 'treeitem',
  AXCell: 'cell',
  AXWebArea: 'document',
  AXHelpTag: 'tooltip',
  AXUserInterfaceTooltip: 'tooltip',
  AXApplicationAlert: 'alert',
  AXApplicationStatus: 'status',
  AXApplicationLog: 'log',
  AXApplicationMarquee: 'marquee',
  AXApplicationTimer: 'timer',
  AXDocumentArticle: 'article',
  AXDocumentNote: 'note',
  AXDocumentMath: 'math',
  AXDefinition: 'definition',
  AXTerm: 'term',
} as const;

const ROLES: ReadonlyMap<string, { aria: string; kind: RoleKind }> = new Map([
  ...entries(CONTROLS, 'control'),
  ...entries(STRUCTURES, 'structure'),
  ...entries(CONTENTS, 'content'),
]);

/** The kinds by role and subrole, for the script that walks the tree. */
export const ROLE_KINDS: Readonly<Record<string, RoleKind>> = Object.fromEntries(
  [...ROLES].map(([role, { kind }]) => [role, kind]),
);

function entries(roles: Readonly<Record<string, string>>, kind: RoleKind) {
  return Object.entries(roles).map(([role, aria]) => [role, { aria, kind }] as const);
}
