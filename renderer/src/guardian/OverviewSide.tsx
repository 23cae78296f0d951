import type { Device } from '../../../src/contract/device.ts';
import type { MetricSnapshot, MetricType } from '../../../src/contract/guardian.ts';
import type { TelemetryMetrics } from '../../../src/contract/telemetry.ts';
import type { DashboardModel } from '../dashboard-model.ts';
import { mergedDevices, type SameDevice } from '../devices/device-words.ts';
import { useObservable } from '../use-observable.ts';
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
