import type { AccessibilityBus } from '../../../agent/drivers/linux/accessibility-bus.ts';
import type { AccessibleNode } from '../../../agent/drivers/linux/accessible-node.ts';
import { ariaRoleOf, PASSWORD_ROLE } from '../../../agent/drivers/linux/aria-roles.ts';

/** A bus whose only news are its answers. */
export function busThat(
  ask: AccessibilityBus['ask'],
  apps: AccessibilityBus['apps'] = async () => [],
): AccessibilityBus {
  return {
    apps,
    hear: async () => () => undefined,
    state: async () => 'not_required',
    close: async () => undefined,
    ask,
  };
}

/** An object that is shown and does nothing. */
export function shownNode(atspiRole: number, more: Partial<AccessibleNode> = {}): AccessibleNode {
  return {
    ref: { bus: ':1.7', path: '' },
    parentPath: '',
    index: 0,
    childCount: 0,
    interfaces: new Set(),
    name: '',
    description: '',
    aria: ariaRoleOf(atspiRole),
    atspiRole,
    isPassword: atspiRole === PASSWORD_ROLE,
    states: {
      checked: false,
      enabled: true,
      focused: false,
      editable: false,
      indeterminate: false,
      isDefault: false,
      managesDescendants: false,
      multiLine: false,
      pressed: false,
      selected: false,
      showing: true,
      visible: true,
    },
    ...more,
  };
}
