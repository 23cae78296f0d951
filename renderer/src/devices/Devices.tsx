import type { DeviceAgent } from '../../../src/contract/device.ts';
import { LOCAL } from '../../../src/contract/machine-rules.ts';
import type { DashboardModel } from '../dashboard-model.ts';
import { useLoaded } from '../use-loaded.ts';
import { useNow } from '../use-now.ts';
import { useObservable } from '../use-observable.ts';
import { VisibleText } from '../VisibleText.tsx';
import { visibleText } from '../visible-text.ts';
import { AccessibilitySwitch } from './AccessibilitySwitch.tsx';
import { DeviceCard } from './DeviceCard.tsx';
import { agentWords, mergedDevices, PERMISSION_NAMES, PERMISSION_WORDS, platformWords } from './device-words.ts';
import { Machines } from './Machines.tsx';
import { PermissionWalk } from './PermissionWalk.tsx';

/** The agent of this computer with its permissions, and every device that a requester registered. */
export function Devices({ model }: { model: DashboardModel }) {
  const { value, failure, reload } = useLoaded(model, model.client.devices);
  const now = useNow(30_000);
  if (value === undefined) return <p className="empty">{failure?.detail ?? 'Loading…'}</p>;
  const agent = value.items.find(({ agent, machine }) => agent !== null && machine === LOCAL)?.agent ?? undefined;
  return (
    <div className="sheet">
      <h1>Devices</h1>
      {model.app !== undefined && <PermissionWalk app={model.app} />}
      <Agent agent={agent} model={model} />
      <Machines model={model} onChanged={reload} />
      <section className="section" aria-labelledby="devices-title">
        <h2 id="devices-title">Registered devices</h2>
        {value.items.length === 0 ? (
          <p className="hint">No devices. A program registers this computer before its first action.</p>
        ) : (
          <ul className="cards">
            {mergedDevices(value.items).map((devices) => (
              <DeviceCard key={devices[0].id} devices={devices} now={now} model={model} onRemoved={reload} />
            ))}
          </ul>
        )}
      </section>
    </div>
  );
}

/** The process that performs actions on this computer. */
function Agent({ agent, model }: { agent: DeviceAgent | undefined; model: DashboardModel }) {
  const { status } = useObservable(model.feed);
  const state = status?.agent;
  return (
    <section className="section" aria-labelledby="agent-title">
      <h2 id="agent-title">Agent of this computer</h2>
      <dl className="facts">
        <dt>State</dt>
        <dd>
          <span className={state === 'online' ? 'badge good' : 'badge bad'}>{agentWords(state)}</span>
        </dd>
        {agent !== undefined && <AgentFacts agent={agent} />}
      </dl>
      {agent?.permissions.accessibility === 'switched_off' && <AccessibilitySwitch model={model} />}
    </section>
  );
}

function AgentFacts({ agent: { platform, hostname, version, displays, permissions } }: { agent: DeviceAgent }) {
  return (
    <>
      <dt>System</dt>
      <dd>
        {platformWords(platform)} on <VisibleText>{hostname}</VisibleText>, agent {version}
      </dd>
      <dt>Displays</dt>
      <dd>
        {displays.length === 0
          ? 'none'
          : displays.map(({ name, bounds }) => `${visibleText(name)} (${bounds.width} × ${bounds.height})`).join(', ')}
      </dd>
      {Object.entries(PERMISSION_NAMES).map(([name, words]) => (
        <Permission key={name} words={words} state={permissions[name === 'accessibility' ? name : 'screenRecording']} />
      ))}
    </>
  );
}

function Permission({ words, state }: { words: string; state: DeviceAgent['permissions']['accessibility'] }) {
  return (
    <>
      <dt>{words}</dt>
      <dd className={state === 'denied' || state === 'switched_off' ? 'warning' : ''}>{PERMISSION_WORDS[state]}</dd>
    </>
  );
}
