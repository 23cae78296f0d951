import { type AccessibilityBus, property, type Question } from './accessibility-bus.ts';
import { type AccessibleNode, type AccessibleRef, described, numberOf, refOf } from './accessible-node.ts';

const ACCESSIBLE = 'org.a11y.atspi.Accessible';
const PROPERTIES = ['Parent', 'Name', 'Description', 'ChildCount'];

/** The properties of one object; `null` when it is gone. */
export async function readNode(
  bus: AccessibilityBus,
  ref: AccessibleRef,
  timeLeftMs: () => number,
): Promise<AccessibleNode | null> {
  const ask = async (question: Question) => (await bus.ask(ref, question, timeLeftMs()))?.[0];
  const about = (member: string) => ask({ interface: ACCESSIBLE, member });
  const [role, states, interfaces, properties] = await Promise.all([
    about('GetRole'),
    about('GetState'),
    about('GetInterfaces'),
    readProperties(ask),
  ]);
  if (role === undefined) return null;
  const { Parent: parent, Name: name, Description: description, ChildCount: childCount } = properties;
  const own = described({ interfaces, name, role, description, states });
  return { ref, parentPath: parentOf(ref, parent), index: -1, childCount: numberOf(childCount), ...own };
}

/** Qt does not answer the question for all of them. */
async function readProperties(ask: (question: Question) => Promise<unknown>): Promise<Record<string, unknown>> {
  const all = await ask({
    interface: 'org.freedesktop.DBus.Properties',
    member: 'GetAll',
    signature: 's',
    body: [ACCESSIBLE],
  });
  if (all !== null && typeof all === 'object') return { ...all };
  const each = PROPERTIES.map(async (name) => [name, await ask(property(ACCESSIBLE, name))] as const);
  return Object.fromEntries(await Promise.all(each));
}

function parentOf({ bus }: AccessibleRef, parent: unknown): string {
  const ref = refOf(parent);
  return ref?.bus === bus ? ref.path : '';
}

/** How much of a time is left, from now on. */
export function timeLeftOf(budgetMs: number): () => number {
  const endMs = performance.now() + budgetMs;
  return () => Math.max(0, endMs - performance.now());
}
