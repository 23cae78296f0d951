import { type FocusEvent, type KeyboardEvent, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import type { ActivityRow } from './activity-row.ts';
import { placeOfId } from './log-places.ts';

/**
 * The row of a virtual list that has the focus, and the keys that move it: arrows, Page Up and Page Down, Home and End. `index`: its
 * place, so that it is drawn also where it is not on the screen.
 */
export function useFocusedRow(
  scroller: RefObject<HTMLElement | null>,
  rows: readonly ActivityRow[],
  rowHeight: number,
) {
  const [id, setId] = useState<string>();
  const moving = useRef(false);
  const place = id === undefined ? -1 : placeOfId(rows, id);
  const index = rows[place]?.actionId === id ? place : -1;
  useLayoutEffect(() => {
    if (!moving.current || index < 0) return;
    moving.current = false;
    const link = scroller.current?.querySelector<HTMLElement>(`li[data-index="${index}"] a`);
    link?.focus({ preventScroll: true });
    link?.scrollIntoView({ block: 'nearest' });
  }, [scroller, index]);
  return {
    index: index < 0 ? undefined : index,
    onFocus: ({ target }: FocusEvent<HTMLElement>) => {
      const at = target.closest<HTMLElement>('li')?.dataset.index;
      if (at !== undefined) setId(rows[Number(at)]?.actionId);
    },
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
      const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 1);
      const next = nextIndex(event.key, { index, page, last: rows.length - 1 });
      const row = next === undefined ? undefined : rows[next];
      if (row === undefined || isChorded(event)) return;
      event.preventDefault();
      if (row.actionId === id) return;
      moving.current = true;
      setId(row.actionId);
    },
  };
}

function nextIndex(
  key: string,
  { index, page, last }: { index: number; page: number; last: number },
): number | undefined {
  const target = {
    ArrowDown: index + 1,
    ArrowUp: index - 1,
    PageDown: index + page,
    PageUp: index - page,
    Home: 0,
    End: last,
  }[key];
  return target === undefined ? undefined : Math.min(last, Math.max(0, target));
}

/** With one of these, the key belongs to the browser. */
function isChorded({ altKey, ctrlKey, metaKey, shiftKey }: KeyboardEvent): boolean {
  return altKey || ctrlKey || metaKey || shiftKey;
}
