import { useEffect, useId, useRef, useState } from 'react';
import { behindMachine } from '../../../src/contract/machine-rules.ts';
import type { DashboardModel } from '../dashboard-model.ts';
import { useLoaded, useObservable } from '../hooks.ts';
import { goTo } from '../pages.ts';
import { visibleText } from '../visible-text.ts';
import { typeWords } from './activity-words.ts';
import {
  dayOfFilters,
  type FilterChoice,
  isFiltered,
  RISK_FILTER,
  STATUS_FILTER,
  TASK_STATUS_FILTER,
  timeFilter,
  withDay,
  withFilter,
  withoutFilters,
} from './filters.ts';

type Props = { filters: URLSearchParams; model: DashboardModel };

/** The filters of the actions. Each choice is put into the address, so that it can be reloaded and shared. */
export function ActionFilterBar({ filters, model }: Props) {
  const requesters = useRequesterChoice(model);
  const devices = useLoaded(model, model.client.devices).value?.items ?? [];
  const types = useLoaded(model, model.client.actionTypes).value?.items ?? [];
  const choices: FilterChoice[] = [
    requesters,
    {
      name: 'type',
      label: 'Type',
      any: 'All types',
      options: types.map(({ name }) => [name, typeWords(name)]),
    },
    STATUS_FILTER,
    RISK_FILTER,
    {
      name: 'device',
      label: 'Device',
      any: 'All devices',
      options: devices.map(({ id, machine, name, ownerId }) => [
        id,
        visibleText(behindMachine(machine, `${name} (${ownerId})`)),
      ]),
    },
    timeFilter(filters),
  ];
  return (
    <>
      <search className="filter-bar">
        <TextFilter filters={filters} />
        <DayFilter filters={filters} />
      </search>
      <ChoiceBar choices={choices} filters={filters} />
    </>
  );
}

/** The filters of the tasks, kept in the address as well. */
export function TaskFilterBar({ filters, model }: Props) {
  const requesters = useRequesterChoice(model);
  return <ChoiceBar choices={[requesters, TASK_STATUS_FILTER, timeFilter(filters)]} filters={filters} />;
}

function useRequesterChoice(model: DashboardModel): FilterChoice {
  const { status } = useObservable(model.feed);
  return {
    name: 'requester',
    label: 'Requester',
    any: 'All requesters',
    options: (status?.requesters ?? []).map(({ userId }) => [userId, visibleText(userId)]),
  };
}

function ChoiceBar({ choices, filters }: { choices: readonly FilterChoice[]; filters: URLSearchParams }) {
  const clear = () => goTo({ page: 'activity', filters: withoutFilters(filters) }, { replace: true });
  return (
    <div className="filter-bar">
      {choices.map((choice) => (
        <FilterSelect key={choice.name} choice={choice} filters={filters} />
      ))}
      {isFiltered(filters) && (
        <button type="button" className="quiet" onClick={clear}>
          Clear filters
        </button>
      )}
    </div>
  );
}

function FilterSelect({ choice, filters }: { choice: FilterChoice; filters: URLSearchParams }) {
  const id = useId();
  const { name, label, any, options } = choice;
  const value = filters.get(name) ?? '';
  const isListed = value === '' || options.some(([option]) => option === value);
  const choose = (next: string) =>
    goTo({ page: 'activity', filters: withFilter(filters, name, next) }, { replace: true });
  return (
    <select
      id={id}
      aria-label={label}
      value={value}
      data-set={value !== ''}
      onChange={({ target }) => choose(target.value)}
    >
      <option value="">{any}</option>
      {!isListed && <option value={value}>{value}</option>}
      {options.map(([option, words]) => (
        <option key={option} value={option}>
          {words}
        </option>
      ))}
    </select>
  );
}

type TextFilterProps = { filters: URLSearchParams };

/** The address changes when the person has stopped typing for so long. */
const TYPING_MS = 250;
const LONGEST = 200;

/** Searches the log by words. They are put into the address, too. */
function TextFilter({ filters }: TextFilterProps) {
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
function DayFilter({ filters }: TextFilterProps) {
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
