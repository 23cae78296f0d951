import { createClient, type InputDevice } from 'x11';

/** Presses and releases a button of the display's own mouse, as a person does: XTEST can speak for any device. */
const XTEST_FAKE_INPUT = 2;
const REQUEST_BYTES = 36;
/** Of the events of the first version of the extension of input devices (XIproto.h). */
const DEVICE_BUTTON = { press: 3, release: 4 };

createClient({ display: String(process.env.DISPLAY), disableBigRequests: true, shm: false }, (error, connected) => {
  if (error !== undefined) throw error;
  const { client } = connected;
  client.require('xtest', (_missing, test) => {
    client.require('xinput', (_absent, input) => {
      input.XIQueryDevice(0, (_fault, devices) => {
        const mouse = devices.find(({ name }: InputDevice) => /^Xvfb (?:virtual )?mouse$/.test(name));
        const request = (event: number) => {
          const bytes = Buffer.alloc(REQUEST_BYTES);
          bytes.writeUInt8(test.majorOpcode, 0);
          bytes.writeUInt8(XTEST_FAKE_INPUT, 1);
          bytes.writeUInt16LE(REQUEST_BYTES / 4, 2);
          bytes.writeUInt8(input.firstEvent + event, 4);
          bytes.writeUInt8(1, 5);
          bytes.writeUInt8(mouse?.deviceId ?? 0, 35);
          return bytes;
        };
        const both = [request(DEVICE_BUTTON.press), request(DEVICE_BUTTON.release)];
        client.stream.end(Buffer.concat(both), () => process.stdout.write('pressed\n'));
        return true;
      });
      return true;
    });
    return true;
  });
});
