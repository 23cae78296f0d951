import { useState } from 'react';
import type { Device } from '../../../src/contract/device.ts';
import type { DashboardModel } from '../dashboard-model.ts';
import { visibleText } from '../prompt/visible-text.ts';
import { dayWords, timeAgo } from '../time-words.ts';
import { VisibleText } from '../VisibleText.tsx';
import { CAPABILITY_WORDS, capabilityStates, platformWords } from './device-words.ts';

type Props = { device: Device; now: number; model: DashboardModel; onRemoved: () => Promise<void> };

/** One registered device with the capabilities that its requester declared. */
export function DeviceCard({ device, now, model, onRemoved }: Props) {
  const { name, type, ownerId, status, warnings, createdAt, lastSeenAt } = device;
  const isOnline = status === 'online';
  return (
    <li className="card">
      <div className="card-head">
        <h3>
          <VisibleText>{name}</VisibleText>
        </h3>
        <span className={isOnline ? 'badge good' : 'badge bad'}>{isOnline ? 'Online' : 'Offline'}</span>
      </div>
      <p className="hint">
        {platformWords(type)} · registered by <VisibleText>{ownerId}</VisibleText> on{' '}
        {dayWords(Date.parse(createdAt), now)}
        {!isOnline && ` · last seen ${timeAgo(Date.parse(lastSeenAt), now)}`}
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
      <RemoveButton device={device} model={model} onRemoved={onRemoved} />
    </li>
  );
}

/** Removing a device cannot be undone, so the button asks once more. */
function RemoveButton({ device: { id, name }, model, onRemoved }: Omit<Props, 'now'>) {
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
      <span>Its running actions are cancelled, and its requester must register it again.</span>
      <button type="button" className="stop" aria-label={`Remove ${visibleText(name)}`} onClick={() => void remove()}>
        Remove
      </button>
      <button type="button" aria-label={`Keep ${visibleText(name)}`} onClick={() => setAsking(false)}>
        Keep
      </button>
    </div>
  );
}
