import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import { PassThrough, type Readable, type Writable } from 'node:stream';
import { type PerformParams, UNDO_FILE } from '../src/contract/link.ts';
import { createStreamTransport } from '../src/contract/stream-transport.ts';
import { UNDO_KEPT_MS } from '../src/contract/times.ts';
import type { Transport } from '../src/contract/transport.ts';
import type { ParentChannel, ParentListener } from './parent-channel.ts';

/** What an agent has in place of a parent's channel and a WebSocket where `ssh` started it: one link, and no other after it. */
type StdioChannel = {
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

const FOLDER = process.platform === 'darwin' ? 'Library/Application Support' : '.local/share';

/**
 * The daemon of another computer names a place there for the former version of a file. On this one it is kept in a private folder of the
 * account, under the same name, for as long as it can be put back.
 */
export function createKeptHere(folder = join(homedir(), FOLDER, 'handrail-agent')) {
  const here = (path: string) => join(folder, basename(path));

  function sweep(): void {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (const path of readdirSync(folder).map(here))
      if (statSync(path).mtimeMs < Date.now() - UNDO_KEPT_MS) rmSync(path, { force: true });
  }

  return ({ keepAt, ...params }: PerformParams): PerformParams => {
    if (keepAt !== undefined) {
      sweep();
      return { ...params, keepAt: here(keepAt) };
    }
    const { formerAt } = params.parameters;
    if (params.actionType !== UNDO_FILE || typeof formerAt !== 'string') return params;
    return { ...params, parameters: { ...params.parameters, formerAt: here(formerAt) } };
  };
}

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
        watcher.once('disconnect', listening.gone); // guard N55-10
        listening.message({ type: 'connect', url: '', token: '' });
      },
    },
    here: createKeptHere(),
    openLink: async () => createStreamTransport({ input: incoming, output }),
  };
}
