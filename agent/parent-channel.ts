import { Compile } from 'typebox/compile';
import { type ChildMessage, ParentMessage } from '../src/contract/link.ts';

/** The channel between the agent and the process that started it. */
export type ParentChannel = {
  send(message: ChildMessage): void;
  listen(listener: ParentListener): void;
};

export type ParentListener = {
  message(message: ParentMessage): void;
  /** The parent has ended, or let go of its child. */
  gone(): void;
};

/** The channel of this process, or `null` when nobody started it as a child. */
export function openParentChannel(): ParentChannel | null {
  const port: unknown = Reflect.get(process, 'parentPort');
  if (isUtilityPort(port)) return utilityChannel(port);
  return process.send === undefined ? null : forkedChannel();
}

const parentMessage = Compile(ParentMessage);

/** Under Node: the IPC channel of `child_process.fork`. */
function forkedChannel(): ParentChannel {
  return {
    // A send fails only when the parent has ended, and `disconnect` reports that.
    send: (message) => void process.send?.(message, undefined, undefined, () => undefined),
    listen({ message, gone }) {
      process.on('message', (value) => {
        if (parentMessage.Check(value)) message(value);
      });
      process.once('disconnect', gone);
      if (!process.connected) gone();
    },
  };
}

type UtilityPort = {
  postMessage(message: unknown): void;
  on(event: 'message', listener: (event: { data: unknown }) => void): void;
};

/** Under Electron: the port of a utility process, which ends together with its parent. */
function utilityChannel(port: UtilityPort): ParentChannel {
  return {
    send: (message) => port.postMessage(message),
    listen({ message }) {
      port.on('message', ({ data }) => {
        if (parentMessage.Check(data)) message(data);
      });
    },
  };
}

function isUtilityPort(value: unknown): value is UtilityPort {
  return typeof value === 'object' && value !== null && 'postMessage' in value && 'on' in value;
}
