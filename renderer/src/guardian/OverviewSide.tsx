import type { Device } from '../../../src/contract/device.ts';
import type { MetricSnapshot, MetricType } from '../../../src/contract/guardian.ts';
import type { RequesterToday, TelemetryMetrics } from '../../../src/contract/telemetry.ts';
import { counted } from '../charts/outcome-words.ts';
import { Sparkline } from '../charts/Sparkline.tsx';
import type { DashboardModel } from '../dashboard-model.ts';
import { mergedDevices, type SameDevice } from '../devices/device-words.ts';
import { useObservable } from '../hooks.ts';
import { addressOf } from '../pages.ts';
import { VisibleText } from '../VisibleText.tsx';
import { oversightWords } from './oversight-words.ts';

const MOST_DEVICES = 4;

type OversightProps = { metrics: readonly MetricSnapshot[]; telemetry: TelemetryMetrics | undefined };

/** The person's answers, and the metrics about them. */
export function Oversight({ metrics, telemetry }: OversightProps) {
  const { allowed = 0, denied = 0 } = telemetry?.confirmations.byOutcome ?? {};
  const { sentence, links } = oversightWords(metrics, { allowed, denied });
  return (
    <section className="panel" aria-labelledby="oversight-title">
      <h2 id="oversight-title">Your oversight</h2>
      <p className="oversight-sentence">{sentence}</p>
      <ul className="oversight-links">
        {links.map(({ type, words, status }) => (
          <li key={type} data-status={status}>
            <MetricLink type={type}>{words}</MetricLink>
          </li>
        ))}
      </ul>
    </section>
  );
}

function MetricLink({ type, children }: { type: MetricType; children: string }) {
  return <a href={`#/metrics/${type}`}>{children}</a>;
}

/** The agent of this computer, and the devices that requesters registered. */
export function DevicesPanel({ devices, model }: { devices: readonly Device[] | undefined; model: DashboardModel }) {
  const { status } = useObservable(model.feed);
  return (
    <section className="panel" aria-labelledby="overview-devices-title">
      <h2 id="overview-devices-title">Devices</h2>
      <p>
        The agent of this computer is <strong>{status?.agent ?? 'not known yet'}</strong>.
      </p>
      {devices !== undefined && (
        <ul className="device-rows">
          {mergedDevices(devices)
            .slice(0, MOST_DEVICES)
            .map((same) => (
              <DeviceRow key={same[0].id} devices={same} />
            ))}
        </ul>
      )}
      <p>
        <a href="#/devices">
          {devices !== undefined && devices.length > MOST_DEVICES
            ? `Show all ${devices.length} devices`
            : 'Show devices'}
        </a>
      </p>
    </section>
  );
}

function DeviceRow({ devices }: { devices: SameDevice }) {
  const [{ name, status }] = devices;
  return (
    <li>
      <span className="device-state" data-status={status} aria-hidden="true" /> <VisibleText>{name}</VisibleText>{' '}
      <span className="hint">
        {status} · registered by <VisibleText>{devices.map(({ ownerId }) => ownerId).join(', ')}</VisibleText>
      </span>
    </li>
  );
}

type Props = {
  requesters: readonly RequesterToday[];
  /** The sentences of the risk, just above. What one of them says of a requester is not said again. */
  told: readonly string[];
};

/** A row for each requester: its day so far, hour by hour, and its days before. The name leads to what it did today. */
export function RequestersToday({ requesters, told }: Props) {
  if (requesters.length === 0) return null;
  return (
    <section className="panel requesters-today" aria-labelledby="requesters-today-title">
      <h2 id="requesters-today-title">Requesters today</h2>
      <table className="access-table" aria-labelledby="requesters-today-title">
        <thead>
          <tr>
            <th scope="col">Requester</th>
            <th scope="col">By the hour</th>
            <th scope="col">Today</th>
            <th scope="col">Before today</th>
          </tr>
        </thead>
        <tbody>
          {requesters.map((line) => (
            <RequesterRow key={line.requester} line={line} isTold={told.includes(`${line.words}.`)} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function RequesterRow({ line, isTold }: { line: RequesterToday; isTold: boolean }) {
  const { requester, did, hours, before, isUnusual } = line;
  const filters = new URLSearchParams({ requester });
  return (
    <tr data-status={isUnusual ? 'bad' : 'ok'}>
      <th scope="row">
        <a href={addressOf({ page: 'activity', filters })}>
          <VisibleText>{requester}</VisibleText>
        </a>
      </th>
      <td>
        <Sparkline points={hours.map((value) => ({ value }))} label={hoursWords(hours)} />
      </td>
      <td data-name="Today">
        {isTold ? 'unusual, as the risk says' : <VisibleText>{did}</VisibleText>}
        {isUnusual && !isTold && <span className="hint"> · unusual</span>}
      </td>
      <td data-name="Before today">{before}</td>
    </tr>
  );
}

/** For a person who cannot see the line. */
function hoursWords(hours: readonly number[]): string {
  const most = Math.max(...hours);
  return `${counted(hours.filter((requests) => requests > 0).length, 'hour')} with requests, at most ${most} in one`;
}
