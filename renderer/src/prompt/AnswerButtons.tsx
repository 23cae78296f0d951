import {
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  useEffect,
  useRef,
  useState,
} from 'react';
import { useObservable } from '../hooks.ts';
import { createObservable, type Observable } from '../observable.ts';
import type { Arming } from './arming.ts';

type AllowButtonProps = {
  words: string;
  arming: Arming;
  isAlive: boolean;
  mustBeHeld: boolean;
  /** The element that says how it is pressed. */
  hintId: string;
  /** A press that is to be held begins; answers whether its time may count. */
  onPress: () => Promise<boolean>;
  onAllow: () => void;
};

/** `complete`: held for long enough, letting go now counts. */
type HoldState = 'idle' | 'starting' | 'holding' | 'complete';

type Hold = Observable<HoldState> & {
  /** The time starts when `begin` answers yes. */
  press(begin: () => Promise<boolean>): void;
  /** Lets go where it was pressed. Answers whether that counts. */
  release(): boolean;
  /** The hand slipped off, or the window went to the back: that never counts. */
  abort(): void;
};

/** The daemon asks for a second; a little more, for its clock and ours are not read at the same time. */
export const HOLD_MS = 1_050;

/** A button that must be held: only letting go of it after the whole time counts. */
export function createHold(holdMs: number): Hold {
  const state = createObservable<HoldState>('idle');
  let timer: ReturnType<typeof setTimeout> | undefined;
  let presses = 0;

  async function start(begin: () => Promise<boolean>): Promise<void> {
    presses += 1;
    const press = presses;
    state.set('starting');
    const isBegun = await begin();
    if (press !== presses || state.get() !== 'starting') return;
    state.set(isBegun ? 'holding' : 'idle');
    if (isBegun) timer = setTimeout(() => state.set('complete'), holdMs);
  }

  function abort(): void {
    clearTimeout(timer);
    state.set('idle');
  }

  return {
    get: state.get,
    subscribe: state.subscribe,
    press(begin) {
      if (state.get() === 'idle') void start(begin);
    },
    release() {
      const isComplete = state.get() === 'complete';
      abort();
      return isComplete;
    },
    abort,
  };
}

/**
 * Only a deliberate hand allows: a click that began after the button became active, a long press where presence is asked for, or
 * the held key A. Return and Space do nothing here, and neither does a script.
 */
export function AllowButton({ words, arming, isAlive, mustBeHeld, hintId, onPress, onAllow }: AllowButtonProps) {
  const [hold] = useState(() => createHold(HOLD_MS));
  const held = useObservable(hold);
  const wasPressedAlive = useRef(false);
  useEffect(() => {
    if (isAlive) return;
    wasPressedAlive.current = false;
    hold.abort();
  }, [isAlive, hold]);
  const pointerDown = (event: PointerEvent) => {
    wasPressedAlive.current = event.isTrusted && event.button === 0 && isAlive;
    if (wasPressedAlive.current && mustBeHeld) hold.press(onPress);
  };
  const click = (event: MouseEvent) => {
    const counts = event.isTrusted && wasPressedAlive.current && isAlive && !mustBeHeld; // guard A4-3
    wasPressedAlive.current = false;
    if (counts) onAllow();
  };
  const leave = () => {
    wasPressedAlive.current = false;
    hold.abort();
  };
  const release = (event: PointerEvent | KeyboardEvent) => {
    if (hold.release() && event.isTrusted && isAlive) onAllow();
  };
  const keyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' || event.key === ' ') event.preventDefault(); // guard A4-4
    if (isHoldKey(event) && event.isTrusted && !event.repeat && isAlive) hold.press(onPress);
  };
  return (
    <button
      type="button"
      className="allow"
      aria-disabled={!isAlive}
      aria-describedby={hintId}
      data-arming={arming.state}
      data-hold={held}
      style={{ '--delay': arming.state === 'waiting' ? `${arming.delayMs}ms` : '0ms' }}
      onPointerDown={pointerDown}
      onPointerUp={release}
      onPointerLeave={leave}
      onPointerCancel={leave}
      onClick={click}
      onKeyDown={keyDown}
      onKeyUp={(event) => (isHoldKey(event) ? release(event) : undefined)}
      onBlur={leave}
      onContextMenu={(event) => event.preventDefault()}
    >
      <span className="allow-fill" aria-hidden="true" />
      <span className="allow-words">{held === 'complete' ? 'Let go to allow' : words}</span>
    </button>
  );
}

function isHoldKey({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return key.toLowerCase() === 'a' && !ctrlKey && !metaKey && !altKey;
}

type DenyButtonProps = { isAlive: boolean; onDeny: () => void };

/**
 * The button takes the focus when its prompt appears. Return and Space press it once the person has moved to it. A press that began
 * before the button lived denies nothing, however late it ends: it may have been meant to bring the window to the front.
 */
export function DenyButton({ isAlive, onDeny }: DenyButtonProps) {
  const hasBegunTooEarly = useRef(false);
  const press = () => {
    hasBegunTooEarly.current = !isAlive;
  };
  const keyDown = (event: KeyboardEvent<HTMLElement>) => {
    ignoreUnmeant(event);
    if (isPressKey(event) && !event.repeat) press();
  };
  const denyOnClick = (event: MouseEvent) => {
    if (event.isTrusted && isAlive && !hasBegunTooEarly.current) onDeny();
  };
  return (
    <button
      type="button"
      ref={giveFocus}
      className="deny"
      aria-disabled={!isAlive}
      aria-keyshortcuts="Escape"
      onBlur={leaveFocus}
      onPointerDown={press}
      onKeyDown={keyDown}
      onKeyUp={ignoreUnmeant}
      onClick={denyOnClick}
    >
      Deny <kbd>esc</kbd>
    </button>
  );
}

/** A key that was held down already when the prompt appeared, or one that scrolls. */
function ignoreUnmeant(event: KeyboardEvent<HTMLElement>): void {
  if (event.repeat || (isPressKey(event) && isGivenFocus(event.currentTarget))) event.preventDefault();
}

function isPressKey({ key }: KeyboardEvent): boolean {
  return key === 'Enter' || key === ' ';
}

/**
 * A button that the page gave the focus to is told apart from one that the person moved to. Keys that are pressed meanwhile were
 * meant for something else, so they do not press it.
 */
function giveFocus(button: HTMLElement | null): void {
  if (button === null) return;
  button.dataset.given = '';
  button.focus({ preventScroll: true });
}

/** To be called when the focus leaves such a button. It stays given while only the whole window lost the focus. */
function leaveFocus({ currentTarget }: FocusEvent<HTMLElement>): void {
  if (document.activeElement !== currentTarget) delete currentTarget.dataset.given;
}

export function isGivenFocus(element: HTMLElement): boolean {
  return element.dataset.given !== undefined;
}
