import { useId } from 'react';
import type { Device } from '../../../src/contract/device.ts';
import { visibleText } from '../prompt/visible-text.ts';

type Props = { devices: readonly Device[]; value: string; onChange: (id: string) => void };

/** The device of a run; a requester with one has no choice. */
export function DeviceField({ devices, value, onChange }: Props) {
  const id = useId();
  if (devices.length < 2) return null;
  return (
    <span className="field">
      <label htmlFor={id}>On</label>
      <select id={id} value={value} onChange={({ target }) => onChange(target.value)}>
        {devices.map((device) => (
          <option key={device.id} value={device.id}>
            {visibleText(device.name)}
          </option>
        ))}
      </select>
    </span>
  );
}
