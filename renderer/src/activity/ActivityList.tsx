import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual';
import {
  type FocusEvent,
  type KeyboardEvent,
  memo,
  type RefObject,
  useCallback,
  useContext,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import type { DashboardModel } from '../dashboard-model.ts';
import { useMedia, useNow, useObservable } from '../hooks.ts';
import { addressOf } from '../pages.ts';
import { HomeContext, VisibleText } from '../VisibleText.tsx';
import { type ActivityLog, type ActivityRow, createActivityReader, placeOfId } from './activity-log.ts';
import { ACTION_STATUS_WORDS, momentWords, toneOf, tookWords, typeWords } from './activity-words.ts';
import { activityQuery, isFiltered } from './filters.ts';
import { canUndo, UndoButton } from './UndoButton.tsx';

type Props = { model: DashboardModel; filters: URLSearchParams; openId: string | undefined };

/** The height of a row in pixels. It must equal the style sheet: one line in a window, two in the panel. */
const ROW_HEIGHT = { window: 34, panel: 52 };
const PANEL = '(width < 860px)';
/** A person whose focus is among these reads the newest rows. */
const FIRST_ROWS = 40;
/** Older rows are loaded when this few are left below. */
const LOAD_AHEAD = 120;

/** The log, newest first. Only the rows near the screen exist, so 100,000 of them scroll smoothly. */
export function ActivityList({ model, filters, openId }: Props) {
  const home = useContext(HomeContext);
  const [reader] = useState(() =>
    createActivityReader((page) => model.client.activity(activityQuery(filters, page, home))),
  );
  const { rows, state, failure } = useObservable(reader);
  const rowHeight = useMedia(PANEL) ? ROW_HEIGHT.panel : ROW_HEIGHT.window;
  const scroller = useRef<HTMLDivElement>(null);
  const now = useNow(30_000);
  useEffect(() => reader.watch(model.feed), [reader, model]);
  useKeepPlace(scroller, rows, rowHeight);
  const focused = useFocusedRow(scroller, rows, rowHeight);
  const focusedIndex = focused.index;
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    // These stay the same functions while the rows do: the virtualizer lays all rows out anew for another one.
    estimateSize: useCallback(() => rowHeight, [rowHeight]),
    getItemKey: useCallback((index: number) => rows[index]?.actionId ?? index, [rows]),
    rangeExtractor: useCallback(
      (range: Range) => withFocused(defaultRangeExtractor(range), focusedIndex),
      [focusedIndex],
    ),
    overscan: 12,
  });
  useMeasured(virtualizer, rowHeight);
  const shown = virtualizer.getVirtualItems();
  const isReading = (virtualizer.scrollOffset ?? 0) > 0 || (focusedIndex ?? 0) > FIRST_ROWS;
  useEffect(() => reader.setReading(isReading), [reader, isReading]);
  const lastShown = shown.at(-1)?.index ?? 0;
  useEffect(() => {
    if (state === 'more' && lastShown >= rows.length - LOAD_AHEAD) void reader.loadMore();
  }, [reader, state, lastShown, rows.length]);
  if (rows.length === 0) return <NoRows state={state} failure={failure} isFiltered={isFiltered(filters)} />;
  return (
    <>
      <div ref={scroller} className="activity-rows">
        <ul
          aria-label="Actions"
          style={{ height: virtualizer.getTotalSize() }}
          onKeyDown={focused.onKeyDown}
          onFocus={focused.onFocus}
        >
          {shown.map(({ key, index, start }) => {
            const row = rows[index];
            if (row === undefined) return null;
            return (
              <li
                key={key}
                data-index={index}
                {...(canUndo(row.undo, now) && { 'data-undo': 'true' })}
                aria-posinset={index + 1}
                aria-setsize={state === 'all' ? rows.length : -1}
                style={{ transform: `translateY(${start}px)`, height: rowHeight }}
              >
                <Row row={row} now={now} filters={filters} isOpen={row.actionId === openId} />
                <UndoButton action={row} model={model} now={now} />
              </li>
            );
          })}
        </ul>
      </div>
      <p className="hint activity-count" role="status">
        {rows.length.toLocaleString('en')} {rows.length === 1 ? 'action' : 'actions'}
        {state !== 'all' && ' loaded; scroll for older ones'}
        {failure !== undefined && ` · ${failure.detail}`}
      </p>
    </>
  );
}

type RowProps = { row: ActivityRow; now: number; filters: URLSearchParams; isOpen: boolean };

/** Drawn once, and again only when one of its properties changes: not with every step of the scroll bar. */
const Row = memo(function Row({ row, now, filters, isOpen }: RowProps) {
  const { actionId, actionType, userId, status, words, createdAt, durationMs, level } = row;
  return (
    <a
      className="activity-row"
      href={addressOf({ page: 'activity', subject: actionId, filters })}
      {...(isOpen && { 'aria-current': 'true' })}
    >
      <time dateTime={createdAt}>{momentWords(createdAt, now)}</time>
      <span className={`status ${toneOf(status)}`}>{ACTION_STATUS_WORDS[status]}</span>
      <span className="row-type">{typeWords(actionType)}</span>
      <span className="row-details">
        <VisibleText>{words}</VisibleText>
      </span>
      <span className="row-user">
        <VisibleText>{userId}</VisibleText>
      </span>
      <span className="row-risk" data-risk={level}>
        {level}
      </span>
      <span className="row-took">{tookWords(durationMs)}</span>
    </a>
  );
});

/** The rows to draw, in their order, with the focused one: the keyboard works from there, wherever the list was scrolled to. */
function withFocused(indices: number[], focused: number | undefined): number[] {
  if (focused === undefined || indices.includes(focused)) return indices;
  return [...indices, focused].toSorted((one, other) => one - other);
}

/** A virtualizer remembers the heights of its rows, so it must be told of other ones. */
function useMeasured(virtualizer: { measure(): void }, rowHeight: number): void {
  const measured = useRef(rowHeight);
  useLayoutEffect(() => {
    if (rowHeight !== measured.current) virtualizer.measure();
    measured.current = rowHeight;
  }, [virtualizer, rowHeight]);
}

/** Rows that come and go above must not move the rows that a person reads. */
function useKeepPlace(
  scroller: { current: HTMLDivElement | null },
  rows: readonly ActivityRow[],
  rowHeight: number,
): void {
  const before = useRef(rows);
  useLayoutEffect(() => {
    const element = scroller.current;
    const index = element === null ? 0 : Math.floor(element.scrollTop / rowHeight);
    const first = before.current[index];
    before.current = rows;
    if (element === null || element.scrollTop === 0 || first === undefined) return;
    const moved = (placeOfId(rows, first.actionId) - index) * rowHeight;
    if (moved !== 0) element.scrollTop += moved;
  }, [scroller, rows, rowHeight]);
}

function NoRows({ state, failure, isFiltered }: Pick<ActivityLog, 'state' | 'failure'> & { isFiltered: boolean }) {
  if (failure !== undefined) return <p className="empty">{failure.detail}</p>;
  if (state !== 'all') return <p className="empty">Loading…</p>;
  return (
    <div className="empty">
      <h2>{isFiltered ? 'No action matches the filters' : 'No activity yet'}</h2>
      <p>
        {isFiltered
          ? 'Choose other filters, or clear them.'
          : 'Every action is listed here: when, by whom, and how it ended.'}
      </p>
    </div>
  );
}

/**
 * The row of a virtual list that has the focus, and the keys that move it: arrows, Page Up and Page Down, Home and End. `index`: its
 * place, so that it is drawn also where it is not on the screen.
 */
function useFocusedRow(scroller: RefObject<HTMLElement | null>, rows: readonly ActivityRow[], rowHeight: number) {
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
