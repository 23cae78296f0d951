import { withoutTilde } from '../VisibleText.tsx';
import type { WantedPage } from './activity-log.ts';
import { ACTION_STATUS_WORDS } from './activity-words.ts';
import { TASK_END_WORDS } from './task-words.ts';

/** A filter of the activity: its name in the address, its label, and the values to choose from. */
export type FilterChoice = {
  name: string;
  label: string;
  any: string;
  options: readonly (readonly [string, string])[];
};

export const STATUS_FILTER: FilterChoice = {
  name: 'status',
  label: 'Status',
  any: 'Any status',
  options: Object.entries(ACTION_STATUS_WORDS),
};

export const RISK_FILTER: FilterChoice = {
  name: 'risk',
  label: 'Risk',
  any: 'Any risk',
  options: [
    ['low', 'Low'],
    ['medium', 'Medium'],
    ['high', 'High'],
    ['critical', 'Critical'],
    ['high,critical', 'High or critical'],
  ],
};

const TIMES: FilterChoice = {
  name: 'since',
  label: 'Time',
  any: 'Any time',
  options: [
    ['15m', 'Last 15 minutes'],
    ['1h', 'Last hour'],
    ['24h', 'Last 24 hours'],
    ['7d', 'Last 7 days'],
    ['30d', 'Last 30 days'],
  ],
};

/** The filter of time. A span of the address that is none of the choices, such as the hour of a chart, is one more choice in words. */
export function timeFilter(filters: URLSearchParams): FilterChoice {
  const [since, until] = [filters.get('since'), filters.get('until')];
  if (since === null || until === null) return TIMES;
  return { ...TIMES, options: [...TIMES.options, [since, spanWords(since, until)]] };
}

/** A span such as `25 Nov, 10:00 – 11:00`. */
function spanWords(since: string, until: string): string {
  const words = new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
  });
  const [from, to] = [new Date(since), new Date(until)];
  return Number.isNaN(from.getTime()) || Number.isNaN(to.getTime()) ? since : words.formatRange(from, to);
}

/** The filters for one day in the time zone of the page, such as `2026-11-25`; none for an empty text. */
export function withDay(filters: URLSearchParams, day: string): URLSearchParams {
  const next = new URLSearchParams(filters);
  next.delete('since');
  next.delete('until');
  const start = new Date(`${day}T00:00:00`);
  if (Number.isNaN(start.getTime())) return next;
  const end = new Date(start);
  end.setDate(end.getDate() + 1);
  next.set('since', start.toISOString());
  next.set('until', new Date(end.getTime() - 1).toISOString());
  return next;
}

/** The day that `withDay` chose, or an empty text. */
export function dayOfFilters(filters: URLSearchParams): string {
  const since = new Date(filters.get('since') ?? '');
  if (Number.isNaN(since.getTime())) return '';
  const day = [since.getFullYear(), since.getMonth() + 1, since.getDate()].map((part) => String(part).padStart(2, '0'));
  const chosen = withDay(new URLSearchParams(), day.join('-'));
  return ['since', 'until'].every((name) => chosen.get(name) === filters.get(name)) ? day.join('-') : '';
}

export const TASK_STATUS_FILTER: FilterChoice = { ...STATUS_FILTER, options: Object.entries(TASK_END_WORDS) };

/** The daemon's name for each filter of an address. */
const QUERY_NAMES: Record<string, string> = {
  requester: 'requester',
  type: 'type',
  status: 'status',
  risk: 'risk',
  device: 'deviceId',
  text: 'text',
  since: 'since',
  until: 'until',
};

/** The query of a call that lists the activity. A time in the filters goes before the one of the page: it is chosen by the person. */
export function activityQuery(filters: URLSearchParams, page: WantedPage, home?: string): string {
  const query = new URLSearchParams({ limit: String(page.limit) });
  if (page.since !== undefined) query.set('since', page.since);
  if (page.cursor !== undefined) query.set('cursor', page.cursor);
  for (const [name, value] of filters) {
    const known = QUERY_NAMES[name];
    if (known !== undefined && value !== '') query.set(known, name === 'text' ? withoutTilde(value, home) : value); // guard E2-50
  }
  return query.toString();
}

/** So many tasks are loaded by one call. */
const TASKS_OF_PAGE = 200;

/** The filters of the list of tasks. */
const TASK_FILTERS = ['requester', 'status', 'since'];

/** The query of a call that lists tasks, from a cursor on or from the newest. */
export function taskQuery(filters: URLSearchParams, cursor?: string): string {
  const query = new URLSearchParams({ limit: String(TASKS_OF_PAGE) });
  if (cursor !== undefined) query.set('cursor', cursor);
  for (const name of TASK_FILTERS) {
    const value = filters.get(name) ?? '';
    if (value !== '') query.set(name, value);
  }
  return query.toString();
}

/** The filters of an address without those that the person chose: the view stays. */
export function withoutFilters(filters: URLSearchParams): URLSearchParams {
  const view = filters.get('view');
  return new URLSearchParams(view === null ? {} : { view });
}

/** Whether the person chose a filter. */
export function isFiltered(filters: URLSearchParams): boolean {
  return filters.size > withoutFilters(filters).size;
}

/** The filters with one of them changed; an empty value removes it. */
export function withFilter(filters: URLSearchParams, name: string, value: string): URLSearchParams {
  const next = new URLSearchParams(filters);
  // The end of a span goes with its beginning.
  if (name === 'since') next.delete('until');
  if (value === '') next.delete(name);
  else next.set(name, value);
  return next;
}
