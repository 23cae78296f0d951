import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { DashboardModel } from '../dashboard-model.ts';
import { addressOf } from '../pages.ts';
import { useNow } from '../use-now.ts';
import { useObservable } from '../use-observable.ts';
import { VisibleText } from '../VisibleText.tsx';
import { type ActivityLog, type ActivityRow, createActivityReader } from './activity-log.ts';
import { ACTION_STATUS_WORDS, momentWords, toneOf, tookWords, typeWords } from './activity-words.ts';
import { activityQuery } from './filters.ts';

type Props = { model: DashboardModel; filters: URLSearchParams; openId: string | undefined };

/** The height of a row in pixels. It must equal the style sheet: one line in a window, two in the panel. */
const ROW_HEIGHT = { window: 34, panel: 52 };
const PANEL = '(width < 860px)';
/** Older rows are loaded when this few are left below. */
const LOAD_AHEAD = 120;

/** The log, newest first. Only the rows near the screen exist, so 100,000 of them scroll smoothly. */
export function ActivityList({ model, filters, openId }: Props) {
  const [reader] = useState(() => createActivityReader((page) => model.client.activity(activityQuery(filters, page))));
  const { rows, state, failure, added } = useObservable(reader);
  const [rowHeight] = useState(() => (window.matchMedia(PANEL).matches ? ROW_HEIGHT.panel : ROW_HEIGHT.window));
  const scroller = useRef<HTMLDivElement>(null);
  const now = useNow(30_000);
  useEffect(() => reader.watch(model.feed), [reader, model]);
  useKeepPlace(scroller, added * rowHeight);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => rows[index]?.actionId ?? index,
    overscan: 12,
  });
  const shown = virtualizer.getVirtualItems();
  const lastShown = shown.at(-1)?.index ?? 0;
  useEffect(() => {
    if (state === 'more' && lastShown >= rows.length - LOAD_AHEAD) void reader.loadMore();
  }, [reader, state, lastShown, rows.length]);
  if (rows.length === 0) return <NoRows state={state} failure={failure} isFiltered={filters.size > 0} />;
  return (
    <>
      <div ref={scroller} className="activity-rows">
        <ul aria-label="Actions" style={{ height: virtualizer.getTotalSize() }} onKeyDown={moveFocus}>
          {shown.map(({ key, index, start }) => {
            const row = rows[index];
            if (row === undefined) return null;
            return (
              <li key={key} style={{ transform: `translateY(${start}px)`, height: rowHeight }}>
                <Row row={row} now={now} filters={filters} isOpen={row.actionId === openId} />
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

function Row({
  row,
  now,
  filters,
  isOpen,
}: {
  row: ActivityRow;
  now: number;
  filters: URLSearchParams;
  isOpen: boolean;
}) {
  const { actionId, actionType, userId, status, details, createdAt, durationMs, level } = row;
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
        <VisibleText>{details}</VisibleText>
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
}

/** Rows that arrive on top must not move the rows that a person reads further down. */
function useKeepPlace(scroller: { current: HTMLDivElement | null }, addedHeight: number): void {
  const before = useRef(addedHeight);
  useLayoutEffect(() => {
    const element = scroller.current;
    const grown = addedHeight - before.current;
    before.current = addedHeight;
    if (element !== null && element.scrollTop > 0 && grown > 0) element.scrollTop += grown;
  }, [scroller, addedHeight]);
}

/** The arrow keys go from row to row. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  const item = document.activeElement?.closest('li');
  const next = event.key === 'ArrowDown' ? item?.nextElementSibling : item?.previousElementSibling;
  const link = next?.querySelector('a');
  if (link === null || link === undefined) return;
  event.preventDefault();
  link.focus();
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
          : 'Every action that a program requests is listed here: when, by whom, and how it ended.'}
      </p>
    </div>
  );
}
