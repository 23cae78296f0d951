import type { Device, DeviceRegistration } from '../contract/device.ts';
import type { DeviceService } from './requester-services.ts';

/** The device that stands for this computer, registered when it is first needed. The very same registration answers the same device. */
export function ownDevice(
  userId: string,
  { devices, platform }: { devices: Pick<DeviceService, 'register'>; platform: NodeJS.Platform },
): Device {
  const type = platform === 'darwin' ? 'macos' : 'linux';
  return devices.register(userId, { type, ...OWN_DEVICE }).device;
}

const OWN_DEVICE: Omit<DeviceRegistration, 'type'> = {
  name: 'This computer',
  capabilities: {
    canOpenApps: true,
    canAccessFiles: true,
    canCaptureScreen: true,
    canRunScripts: true,
    canControlInput: true,
  },
};
