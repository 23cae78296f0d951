import {
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  useEffect,
  useRef,
  useState,
} from 'react';
import { useObservable } from '../use-observable.ts';
import type { Arming } from './arming.ts';
import { createHold, HOLD_MS } from './hold.ts';

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
    const counts = event.isTrusted && wasPressedAlive.current && isAlive && !mustBeHeld;
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
    if (event.key === 'Enter' || event.key === ' ') event.preventDefault();
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
