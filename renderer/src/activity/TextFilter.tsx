import { useEffect, useRef, useState } from 'react';
import { goTo } from '../use-place.ts';
import { dayOfFilters, withDay, withFilter } from './filters.ts';

type Props = { filters: URLSearchParams };

/** The address changes when the person has stopped typing for so long. */
const TYPING_MS = 250;
const LONGEST = 200;

/** Searches the log by words. They are put into the address, too. */
export function TextFilter({ filters }: Props) {
  const wanted = filters.get('text') ?? '';
  const [text, setText] = useState(wanted);
  const field = useRef<HTMLInputElement>(null);
  const latest = useRef(filters);
  latest.current = filters;
  useEffect(() => {
    if (document.activeElement !== field.current) setText(wanted);
  }, [wanted]);
  useEffect(() => {
    const timer = setTimeout(() => {
      const words = text.trim();
      if (words === (latest.current.get('text') ?? '')) return;
      goTo({ page: 'activity', filters: withFilter(latest.current, 'text', words) }, { replace: true });
    }, TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <input
      ref={field}
      type="search"
      aria-label="Search"
      placeholder="Search"
      maxLength={LONGEST}
      value={text}
      onChange={({ target }) => setText(target.value)}
    />
  );
}

/** One day of the log. */
export function DayFilter({ filters }: Props) {
  const day = dayOfFilters(filters);
  const choose = (next: string) => goTo({ page: 'activity', filters: withDay(filters, next) }, { replace: true });
  return (
    <input
      type="date"
      aria-label="Day"
      value={day}
      data-set={day !== ''}
      onChange={({ target }) => choose(target.value)}
    />
  );
}
