import { useId } from 'react';
import type { DashboardModel } from '../dashboard-model.ts';
import { visibleText } from '../prompt/visible-text.ts';
import { useLoaded } from '../use-loaded.ts';
import { useObservable } from '../use-observable.ts';
import { goTo } from '../use-place.ts';
import { typeWords } from './activity-words.ts';
import { type FilterChoice, RISK_FILTER, STATUS_FILTER, TIME_FILTER, withFilter } from './filters.ts';

/** The filters of the log. Each choice is put into the address, so that it can be reloaded and shared. */
export function FilterBar({ filters, model }: { filters: URLSearchParams; model: DashboardModel }) {
  const { status } = useObservable(model.feed);
  const devices = useLoaded(model, model.client.devices).value?.items ?? [];
  const types = useLoaded(model, model.client.actionTypes).value?.items ?? [];
  const choices: FilterChoice[] = [
    {
      name: 'requester',
      label: 'Requester',
      any: 'All requesters',
      options: (status?.requesters ?? []).map(({ userId }) => [userId, visibleText(userId)]),
    },
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
      options: devices.map(({ id, name, ownerId }) => [id, visibleText(`${name} (${ownerId})`)]),
    },
    TIME_FILTER,
  ];
  return (
    <div className="filter-bar">
      {choices.map((choice) => (
        <FilterSelect key={choice.name} choice={choice} filters={filters} />
      ))}
      {filters.size > 0 && (
        <button type="button" className="quiet" onClick={() => goTo({ page: 'activity' }, { replace: true })}>
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
