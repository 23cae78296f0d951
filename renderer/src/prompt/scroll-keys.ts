import { isGivenFocus } from './AnswerButtons.tsx';

/** A part of the height that is scrolled by; `end` and `start` are the ends of everything. */
type Move = number | 'start' | 'end';

const PAGE = 0.9;
const LINE = 0.1;

const MOVES: Record<string, Move> = {
  ' ': PAGE,
  PageDown: PAGE,
  PageUp: -PAGE,
  ArrowDown: LINE,
  ArrowUp: -LINE,
  End: 'end',
  Home: 'start',
};

/**
 * A ref that scrolls its element, the body of a prompt, by the keys that scroll a page, wherever in the prompt the focus is. A box
 * inside of it that scrolls by itself is scrolled to its end on the way.
 */
export function scrollByKeys(body: HTMLElement | null): (() => void) | undefined {
  if (body === null) return undefined;
  const onKeyDown = (event: KeyboardEvent) => {
    const move = moveOf(event);
    if (move === undefined || !isForPrompt(event, body)) return;
    event.preventDefault();
    scroll(body, move);
  };
  window.addEventListener('keydown', onKeyDown);
  return () => window.removeEventListener('keydown', onKeyDown);
}

function moveOf({ key, shiftKey, ctrlKey, metaKey, altKey }: KeyboardEvent): Move | undefined {
  if (ctrlKey || metaKey || altKey) return undefined;
  return key === ' ' && shiftKey ? -PAGE : MOVES[key];
}

/** Whether a key scrolls the prompt. The browser keeps the keys of a box that scrolls by itself, and of buttons and choices. */
function isForPrompt({ key, target }: KeyboardEvent, body: HTMLElement): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target === document.body || target === body) return true;
  if (body.contains(target) || !body.parentElement?.contains(target)) return false;
  if (key === ' ') return isGivenFocus(target);
  return !(target instanceof HTMLInputElement && key.startsWith('Arrow'));
}

function scroll(body: HTMLElement, move: Move): void {
  const boxes = [...body.querySelectorAll<HTMLElement>('section[tabindex]')];
  if (typeof move === 'number') {
    const box = boxes.find((inner) => isInView(inner, { body, move }) && hasMore(inner, move)) ?? body;
    box.scrollTop += move * box.clientHeight;
  } else {
    for (const box of [body, ...boxes]) box.scrollTop = move === 'end' ? box.scrollHeight : 0;
  }
}

/** Whether the end of a box that is scrolled to is on screen. */
function isInView(inner: HTMLElement, { body, move }: { body: HTMLElement; move: number }): boolean {
  const [{ top, bottom }, view] = [inner.getBoundingClientRect(), body.getBoundingClientRect()];
  const edge = move > 0 ? bottom : top;
  return edge >= view.top - 1 && edge <= view.bottom + 1;
}

function hasMore({ scrollTop, scrollHeight, clientHeight }: HTMLElement, move: number): boolean {
  return move > 0 ? scrollTop + clientHeight < scrollHeight - 1 : scrollTop > 0;
}
