import { PassThrough, type Readable, type Writable } from 'node:stream';
import type { PerformParams } from '../src/contract/link.ts';
import { createStreamTransport } from '../src/contract/stream-transport.ts';
import type { Transport } from '../src/contract/transport.ts';
import { createKeptHere } from './files/kept-here.ts';
import type { ParentChannel, ParentListener } from './parent-channel.ts';

/** What an agent has in place of a parent's channel and a WebSocket where `ssh` started it: one link, and no other after it. */
export type StdioChannel = {
  parent: ParentChannel;
  openLink(): Promise<Transport>;
  here(params: PerformParams): PerformParams;
};

type Streams = {
  input: Readable;
  output: Writable;
  /** Tells of the end of the process that watches whether this agent may act here. */
  watcher: Pick<NodeJS.Process, 'once'>;
};

export function openStdioChannel({ input, output, watcher }: Streams): StdioChannel {
  // The link outlives the end of the input, so that what runs is handed back over the output.
  const incoming = new PassThrough();
  input.pipe(incoming, { end: false });
  let listener: ParentListener | undefined;
  return {
    parent: {
      // The agent asks for a token when its link is down.
      send: () => listener?.gone(),
      listen(listening) {
        listener = listening;
        input.once('end', listening.gone);
        input.once('error', listening.gone);
        watcher.once('disconnect', listening.gone);
        listening.message({ type: 'connect', url: '', token: '' });
      },
    },
    here: createKeptHere(),
    openLink: async () => createStreamTransport({ input: incoming, output }),
  };
}
