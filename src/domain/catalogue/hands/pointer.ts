import {
  ClickParameters,
  DragParameters,
  MovePointerParameters,
  type Place,
  ScrollParameters,
  TURNED_BY_WHEEL,
} from '../../../contract/hands.ts';
import type { Control } from '../../../contract/screen.ts';
import { placeReference } from '../../../contract/targets.ts';
import { isTrash } from '../../critical-controls.ts';
import { assessRisk, type RiskRule } from '../../risk.ts';
import { defineAction, type Seen } from '../definition.ts';
import { doneIn, doneWithTaken } from '../done.ts';
import { controlOf, controlTarget, controlWords, labelOf, placeFaults } from './control-target.ts';
import { clickOpens, dropOpens, type Press, takenFile, withTaken } from './file-dialog.ts';

export const click = defineAction({
  name: 'Click',
  summary: 'Clicks an element, or a point of a picture',
  capability: 'canControlInput',
  effectClass: 'once',
  baseRisk: 'medium',
  hint: 'Prefer elementId to x, y. Call request_access first.',
  isUsual: true,
  isInput: true,
  parameters: ClickParameters,
  targets: placesOf,
  faults: (parameters) => placeFaults(parameters),
  assess({ button = 'left', count = 1, modifiers = [], ...place }, seen) {
    const press = pressOf({ button, count, modifiers });
    const { control, rules, facts, words } = at(place, seen, press);
    const verb = `${VERBS[button]}${count === 1 ? '' : count === 2 ? ' twice' : ' three times'}`;
    const held = modifiers.length === 0 ? '' : ` with ${modifiers.join(' and ')} held`;
    return {
      ...facts,
      risk: assessRisk({ level: 'medium', reason: 'A click makes the control act.' }, [
        ...rules,
        ...(button === 'middle' && mayTakeText(control) ? [PASTES] : []),
        ...(count > 1 && mayChange(control) ? [PRESSES_AGAIN] : []), // guard N27-1
        ...clickOpens(control, { button, count, isHeld: modifiers.length > 0 }), // guard N39-1
      ]),
      sentence: `${verb} on ${words}${held}`,
      ...doneWithTaken(control, { did: 'clicked', what: labelOf(control), path: facts.paths[0] }),
      changes: 'Does what the control does. The app may not be able to undo it.',
    };
  },
});

/** With a key held a click may choose more files. */
function pressOf({
  button,
  count,
  modifiers,
}: Required<Pick<ClickParameters, 'button' | 'count' | 'modifiers'>>): Press {
  if (button === 'right') return 'menu';
  if (modifiers.length > 0) return count === 1 ? 'click' : 'changes';
  return count === 1 ? 'click' : 'clicks';
}

/** A press may put another control in its place, as a page can with all that it shows. In a text it only selects. */
function mayChange(control: Control | undefined): boolean {
  return control?.isEditable !== true && (control?.url !== undefined || PRESSED_ONCE.has(control?.role ?? ''));
}

const PRESSED_ONCE: ReadonlySet<string> = new Set([
  'button',
  'link',
  'menuitem',
  'menuitemcheckbox',
  'menuitemradio',
  'tab',
]);

const PRESSES_AGAIN: RiskRule = {
  level: 'high',
  reason: 'A second press may reach a control that the first one has put there, which Handrail has not judged.',
};

/** An app may tell nothing of its fields. */
function mayTakeText(control: Control | undefined): boolean {
  return control?.isEditable === true || control?.role === 'window';
}

/** On X11. */
const PASTES: RiskRule = {
  level: 'high',
  reason: 'A middle click may insert the text that was selected last, which may be private.',
};

const VERBS = { left: 'Click', middle: 'Click with the middle button', right: 'Open the context menu with a click' };

export const movePointer = defineAction({
  name: 'MovePointer',
  summary: 'Moves the pointer to an element or a point, without a click',
  capability: 'canControlInput',
  effectClass: 'once',
  baseRisk: 'low',
  isInput: true,
  parameters: MovePointerParameters,
  targets: placesOf,
  faults: (parameters) => placeFaults(parameters),
  assess(place, seen) {
    const { facts, words } = at(place, seen);
    return {
      ...facts,
      sensitive: undefined,
      risk: assessRisk({ level: 'low', reason: 'A pointer that only moves shows hints and changes nothing.' }),
      sentence: `Move the pointer to ${words}`,
      changes: 'Moves the pointer. What lies under it may show a hint.',
    };
  },
});

export const drag = defineAction({
  name: 'Drag',
  summary: 'Drags from one place to another with a button held',
  capability: 'canControlInput',
  effectClass: 'once',
  baseRisk: 'medium',
  untold: ['button', 'modifiers'],
  isInput: true,
  parameters: DragParameters,
  targets: ({ from, to }) => [...placesOf(from), ...placesOf(to)],
  faults: ({ from, to }) => [...placeFaults(from, { pointer: '/from' }), ...placeFaults(to, { pointer: '/to' })],
  assess({ from, to }, seen) {
    const [start, end] = [at(from, seen, 'drag'), at(to, seen)];
    const forbidden = start.facts.forbidden ?? end.facts.forbidden;
    const isOnePlace = JSON.stringify(start.facts.access) === JSON.stringify(end.facts.access);
    return {
      ...end.facts,
      ...(isOnePlace ? {} : { access: undefined }),
      onSite: start.facts.onSite === true || end.facts.onSite === true, // guard N43-2
      denialTarget: `${start.facts.denialTarget}\n${end.facts.denialTarget}`,
      apps: [...start.facts.apps, ...end.facts.apps],
      paths: start.facts.paths,
      alsoNamed: [...(start.facts.alsoNamed ?? []), ...(end.facts.alsoNamed ?? [])],
      sensitive: start.facts.sensitive ?? end.facts.sensitive,
      forbidden,
      risk: assessRisk({ level: 'medium', reason: 'A drag moves or changes what it holds.' }, [
        ...start.rules,
        ...end.rules,
        ...(end.control !== undefined && isTrash(end.control.name) ? [TRASHES] : []),
        ...dropOpens(end.control),
      ]),
      sentence: `Drag from ${start.words} to ${end.words}`,
      ...doneIn(end.control, 'dragged', labelOf(start.control)),
      changes: 'Moves, selects or changes what is dragged. The app may not be able to undo it.',
    };
  },
});

const TRASHES: RiskRule = { level: 'high', reason: 'By its words it is dropped into the trash.' };

export const scroll = defineAction({
  name: 'Scroll',
  summary: 'Turns the wheel over an element or a point',
  capability: 'canControlInput',
  effectClass: 'once',
  baseRisk: 'low',
  isUsual: true,
  isInput: true,
  parameters: ScrollParameters,
  targets: placesOf,
  faults({ dx = 0, dy = 0, ...place }) {
    const still = dx === 0 && dy === 0 ? [{ pointer: '', message: 'give dx or dy, in notches' }] : [];
    return [...placeFaults(place), ...still];
  },
  assess({ dx = 0, dy = 0, ...place }, seen) {
    const { control, rules, facts, words } = at(place, seen);
    const changesIt = TURNED_BY_WHEEL.has(control?.role ?? ''); // guard N13-1
    const ways = [
      dy > 0 ? `${dy} down` : dy < 0 ? `${-dy} up` : '',
      dx > 0 ? `${dx} right` : dx < 0 ? `${-dx} left` : '',
    ];
    return {
      ...facts,
      ...(changesIt ? {} : { sensitive: undefined }),
      risk: changesIt
        ? assessRisk({ level: 'medium', reason: 'The wheel may change the value of this control.' }, rules)
        : assessRisk({ level: 'low', reason: 'Scrolling shows another part of the same contents.' }),
      sentence: `Scroll ${ways.filter((way) => way !== '').join(' and ')} over ${words}`,
      changes: 'Shows another part of the contents. Over a number field it may change the number.',
    };
  },
});

function placesOf(place: Place) {
  const reference = placeReference(place);
  return reference === undefined ? [] : [reference];
}

function at(place: Place, seen: Seen, press: Press = 'none') {
  const reference = placeReference(place);
  const control = controlOf(seen.targets, reference);
  const taken = takenFile(control, press, seen);
  const words = `${controlWords(control, reference)}${taken.words}`;
  return { control, ...withTaken(controlTarget(control), taken), words };
}
