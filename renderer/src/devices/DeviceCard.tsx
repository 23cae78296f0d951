import { useState } from 'react';
import type { Device } from '../../../src/contract/device.ts';
import { LOCAL } from '../../../src/contract/machine-rules.ts';
import type { DashboardModel } from '../dashboard-model.ts';
import { dayWords, timeAgo } from '../time-words.ts';
import { VisibleText } from '../VisibleText.tsx';
import { visibleText } from '../visible-text.ts';
import { CAPABILITY_WORDS, capabilityStates, platformWords, type SameDevice } from './device-words.ts';
import { STATUS_WORDS } from './machine-words.ts';

type Props = { devices: SameDevice; now: number; model: DashboardModel; onRemoved: () => Promise<void> };

/** One device with the capabilities that its requesters declared, and its registrations. */
export function DeviceCard({ devices, now, model, onRemoved }: Props) {
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
