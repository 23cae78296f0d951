import { type AccessibilityBus, property } from '../accessibility-bus.ts';
import { type AccessibleNode, type AccessibleRef, refsOf, textOf } from '../accessible-node.ts';
import { timeLeftOf } from '../read-node.ts';

const BUDGET_MS = 500;
/** So many objects of a chain, and so many labels of each, are asked. More are too many to be judged. */
const MOST_ASKED = 20;
const ACCESSIBLE = 'org.a11y.atspi.Accessible';
/** By AtspiRelationType: what it labels, its labels, its descriptions. */
const SAYS_MORE: ReadonlySet<unknown> = new Set([1, 2, 18]);
/** A press on something in them presses them too. */
const PRESSED: ReadonlySet<string> = new Set([
  ...['button', 'link', 'menuitem', 'menuitemcheckbox', 'menuitemradio', 'checkbox', 'radio', 'switch', 'tab'],
  ...['option', 'treeitem', 'row', 'listitem', 'combobox', 'slider', 'spinbutton', 'textbox', 'columnheader'],
]);
/** Their names are titles. */
const HOLDERS: ReadonlySet<string> = new Set(['window', 'dialog', 'alertdialog', 'form', 'document', 'application']);

/**
 * All words of an object but its name: its hint, the names and hints of what a press on it presses, and of the labels of each. `above`: the object
 * and everything that it is in, the innermost first. Null where the app does not tell all of them in time.
 */
export async function textsOf(bus: AccessibilityBus, above: readonly AccessibleNode[]): Promise<string[] | null> {
  const all = pressedOf(above);
  const chain = all.slice(0, MOST_ASKED);
  if (all.slice(MOST_ASKED).some(({ aria }) => PRESSED.has(aria.role))) return null;
  const timeLeftMs = timeLeftOf(BUDGET_MS);
  const related = await Promise.all(chain.map(({ ref }) => labelsOf(bus, ref, timeLeftMs)));
  const own = chain.flatMap(({ name, description }) => [name, description]);
  const [name] = own;
  const told = related.filter((labels) => labels !== null);
  if (told.length < related.length) return null;
  return [...new Set([...own, ...told.flat()])].filter((text) => text !== '' && text !== name);
}

/** From an object to the first one around it that can be pressed, and all further ones that can be. */
function pressedOf(above: readonly AccessibleNode[]): AccessibleNode[] {
  const end = above.findIndex(({ aria }) => HOLDERS.has(aria.role));
  const inside = end < 0 ? above : above.slice(0, end);
  const first = inside.findIndex(({ aria }) => PRESSED.has(aria.role));
  return inside.filter(({ aria }, index) => first < 0 || index <= first || PRESSED.has(aria.role));
}

async function labelsOf(bus: AccessibilityBus, ref: AccessibleRef, timeLeftMs: () => number): Promise<string[] | null> {
  const answer = await bus.ask(ref, { interface: ACCESSIBLE, member: 'GetRelationSet' }, timeLeftMs());
  // An object that answers with a fault has no labels; one that does not answer has not told them.
  if (answer === null && isOver(timeLeftMs)) return null;
  const relations = Array.isArray(answer?.[0]) ? answer[0] : [];
  const labels = relations.flatMap((relation: unknown) =>
    Array.isArray(relation) && SAYS_MORE.has(relation[0]) ? refsOf(relation[1]) : [],
  );
  if (labels.length > MOST_ASKED) return null;
  const questions = labels.flatMap((label) => ['Name', 'Description'].map((member) => ({ label, member })));
  const texts = questions.map(async ({ label, member }) =>
    textOf((await bus.ask(label, property(ACCESSIBLE, member), timeLeftMs()))?.[0]),
  );
  const told = await Promise.all(texts);
  return isOver(timeLeftMs) && told.includes('') ? null : told;
}

/** Whether the time has passed; a timer may be a bit early. */
function isOver(timeLeftMs: () => number): boolean {
  return timeLeftMs() < 2;
}
