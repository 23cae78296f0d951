import { type KeyboardEvent, type MouseEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import { useObservable } from '../use-observable.ts';
import type { Arming } from './arming.ts';
import { createHold, HOLD_MS } from './hold.ts';

type Props = {
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
export function AllowButton({ words, arming, isAlive, mustBeHeld, hintId, onPress, onAllow }: Props) {
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
