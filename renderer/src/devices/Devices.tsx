import { useEffect, useState } from 'react';
import type { Device, DeviceAgent } from '../../../src/contract/device.ts';
import { LOCAL } from '../../../src/contract/machine-rules.ts';
import type { PermissionStep, PermissionStepState, ShellBridge } from '../../../src/contract/shell.ts';
import type { DashboardModel } from '../dashboard-model.ts';
import { useLoaded, useNow, useObservable } from '../hooks.ts';
import { dayWords, timeAgo } from '../time-words.ts';
import { VisibleText } from '../VisibleText.tsx';
import { visibleText } from '../visible-text.ts';
import { AccessibilitySwitch } from './AccessibilitySwitch.tsx';
import {
  agentWords,
  CAPABILITY_WORDS,
  capabilityStates,
  mergedDevices,
  PERMISSION_NAMES,
  PERMISSION_WORDS,
  platformWords,
  type SameDevice,
  STATUS_WORDS,
} from './device-words.ts';
import { Machines } from './Machines.tsx';

/** A person who has just flipped a switch looks back at this page. */
const LOOK_EVERY_MS = 2_000;

/** The permissions that macOS wants from the person, one after the other, each with its state as it is now. Only in the Mac app. */
function PermissionWalk({ app }: { app: ShellBridge }) {
  const steps = usePermissionSteps(app);
  const isComplete = steps.every(({ state }) => state === 'granted' || state === 'on_demand');
  return (
    <section className="section" aria-labelledby="permissions-title">
      <h2 id="permissions-title">Permissions of this Mac</h2>
      <p className="hint">
        {isComplete
          ? 'Handrail has what it needs.'
          : 'macOS gives these to Handrail when you switch them on. This page looks again every two seconds.'}
      </p>
      <ol className="cards">
        {steps.map((step) => (
          <Step key={step.permission} step={step} app={app} />
        ))}
      </ol>
      {!isComplete && (
        <div className="card-buttons">
          <button type="button" onClick={() => void app.relaunch({})}>
            Relaunch Handrail
          </button>
        </div>
      )}
    </section>
  );
}

const STATE_WORDS: Record<PermissionStepState, string> = {
  granted: 'granted',
  missing: 'missing',
  stale: 'on, without effect',
  unknown: 'checking…',
  on_demand: 'asked when needed',
};

const BADGES: Record<PermissionStepState, string> = {
  granted: 'badge good',
  missing: 'badge bad',
  stale: 'badge bad',
  unknown: 'badge bad',
  on_demand: 'badge',
};

function Step({
  step: { permission, name, state, why, todo, command },
  app,
}: {
  step: PermissionStep;
  app: ShellBridge;
}) {
  return (
    <li className="card">
      <div className="card-head">
        <h3>{name}</h3>
        <span className={BADGES[state]} role="status">
          {STATE_WORDS[state]}
        </span>
      </div>
      <p className="hint">{why}</p>
      {todo !== undefined && <p>{todo}</p>}
      {command !== undefined && (
        <p>
          <code>{command}</code>
        </p>
      )}
      {state !== 'granted' && (
        <div className="card-buttons">
          <button type="button" onClick={() => void app.openPane({ permission })}>
            Open System Settings: {name}
          </button>
        </div>
      )}
    </li>
  );
}

/** Looks at the permissions now and again for as long as they are shown. */
function usePermissionSteps(app: ShellBridge): readonly PermissionStep[] {
  const [steps, setSteps] = useState<readonly PermissionStep[]>([]);
  useEffect(() => {
    let isOver = false;
    const look = async () => {
      const { steps: found } = await app.permissions({});
      if (!isOver) setSteps(found);
    };
    void look();
    const timer = setInterval(() => void look(), LOOK_EVERY_MS);
    return () => {
      isOver = true;
      clearInterval(timer);
    };
  }, [app]);
  return steps;
}

type Props = { devices: SameDevice; now: number; model: DashboardModel; onRemoved: () => Promise<void> };

/** One device with the capabilities that its requesters declared, and its registrations. */
function DeviceCard({ devices, now, model, onRemoved }: Props) {
  const [device] = devices;
  const { name, type, status, warnings, machine, platform } = device;
  const isOnline = status === 'online';
  return (
    <li className="card">
      <div className="card-head">
        <h3>
          <VisibleText>{name}</VisibleText>
        </h3>
        <span className={isOnline ? 'badge good' : 'badge bad'}>{STATUS_WORDS[status]}</span>
      </div>
      <p className="hint">
        {machine !== LOCAL && `On ${machine} · `}
        {platformWords(type)}
        {platform !== null && platform !== 'fake' && platform !== type && ` · ${platformWords(platform)}`}
      </p>
      <ul className="capabilities" aria-label={`Capabilities of ${visibleText(name)}`}>
        {capabilityStates(device).map(({ name: capability, words, state }) => (
          <li key={capability} data-state={state}>
            {words} <span className="hint">{CAPABILITY_WORDS[state]}</span>
          </li>
        ))}
      </ul>
      {warnings.map((warning) => (
        <p key={warning} className="hint warning">
          <VisibleText>{warning}</VisibleText>
        </p>
      ))}
      <ul className="registrations" aria-label={`Registrations of ${visibleText(name)}`}>
        {devices.map(({ id, ownerId, createdAt, lastSeenAt }) => (
          <li key={id}>
            <span className="hint">
              registered by <VisibleText>{ownerId}</VisibleText> on {dayWords(Date.parse(createdAt), now)}
              {!isOnline && ` · last seen ${timeAgo(Date.parse(lastSeenAt), now)}`}
            </span>
            <RemoveButton
              id={id}
              name={devices.length === 1 ? name : `${name} of ${ownerId}`}
              model={model}
              onRemoved={onRemoved}
            />
          </li>
        ))}
      </ul>
    </li>
  );
}

type RemoveProps = Pick<Device, 'id' | 'name'> & Pick<Props, 'model' | 'onRemoved'>;

/** Removing a device cannot be undone, so the button asks once more. */
function RemoveButton({ id, name, model, onRemoved }: RemoveProps) {
  const [isAsking, setAsking] = useState(false);
  const remove = async () => {
    setAsking(false);
    await model.act(model.client.removeDevice(id), `Removed: ${name}`);
    await onRemoved();
  };
  if (!isAsking) {
    return (
      <div className="card-buttons">
        <button type="button" aria-label={`Remove ${visibleText(name)}…`} onClick={() => setAsking(true)}>
          Remove…
        </button>
      </div>
    );
  }
  return (
    <div className="card-buttons">
      <span>Its running actions are cancelled. The program can register it again.</span>
      <button type="button" className="stop" aria-label={`Remove ${visibleText(name)}`} onClick={() => void remove()}>
        Remove
      </button>
      <button type="button" aria-label={`Keep ${visibleText(name)}`} onClick={() => setAsking(false)}>
        Keep
      </button>
    </div>
  );
}

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
        {platformWords(platform)} on <VisibleText>{hostname}</VisibleText>, agent <VisibleText>{version}</VisibleText>
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
