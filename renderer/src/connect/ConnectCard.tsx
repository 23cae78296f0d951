import { useState } from 'react';
import { CloseButton } from '../controls.tsx';
import type { DashboardModel } from '../dashboard-model.ts';
import { useLoaded, useObservable } from '../hooks.ts';
import { Quoted, Unbroken } from '../VisibleText.tsx';
import { CLIENTS, claimedName } from './clients.ts';

const MOST_NAMED = 3;

/** Connects an agent: choose a client, copy one command, see its first call. */
export function ConnectCard({ model }: { model: DashboardModel }) {
  const { arrived } = useObservable(model.firstCalls);
  const [client, choose] = useState<(typeof CLIENTS)[number]>(CLIENTS[0]);
  return (
    <section className="connect" aria-labelledby="connect-title">
      <h2 id="connect-title">Connect an agent</h2>
      <CloseButton label="Close Connect an agent" className="quiet outcome-close" onClose={model.firstCalls.close} />
      <div className="connect-clients" role="radiogroup" aria-label="The client to connect">
        {CLIENTS.map((one) => (
          <label key={one.name} className="connect-client">
            <input type="radio" name="client" checked={one === client} onChange={() => choose(one)} />
            {one.title}
          </label>
        ))}
      </div>
      <ConnectCommand client={client} model={model} />
      <div className="connect-state" role="status" data-state={arrived.length === 0 ? 'waiting' : 'connected'}>
        <Arrivals arrived={arrived} />
      </div>
    </section>
  );
}

/** The latest requesters to appear. Any program can make up many names, so few are shown. */
function Arrivals({ arrived }: { arrived: readonly string[] }) {
  if (arrived.length === 0) return <p>Waiting for the first call…</p>;
  const more = arrived.length - MOST_NAMED;
  return (
    <>
      {arrived.slice(-MOST_NAMED).map((userId) => (
        <p key={userId}>
          <Quoted>{claimedName(userId)}</Quoted> is connected
        </p>
      ))}
      {more > 0 && <p className="hint">and {more} more</p>}
      <p className="hint">
        A name is the program’s own claim. <a href="#/access">Show in Access</a>
      </p>
    </>
  );
}

type Props = { client: (typeof CLIENTS)[number]; model: DashboardModel };

/** The command for one client. The daemon knows how it was started, and so which command works. */
function ConnectCommand({ client, model }: Props) {
  const { value } = useLoaded(model, model.client.about);
  if (value === undefined) return <p className="hint">Loading…</p>;
  if (value.connectCommand === undefined) {
    return (
      <p>
        This Handrail came without its command line, which writes the settings of {client.title}. The npm package of
        Handrail has it.
      </p>
    );
  }
  const command = `${value.connectCommand} ${client.name}`;
  const copy = () =>
    navigator.clipboard.writeText(command).then(
      () => model.notices.done('The command is on the clipboard.'),
      () => model.notices.problem('The browser did not let the page copy. Select the command and copy it yourself.'),
    );
  return (
    <>
      <p>Run this in a terminal. It shows the change to the settings of {client.title}, and asks first.</p>
      <div className="connect-command">
        <code className="key key-value">
          <Unbroken after=" ">{command}</Unbroken>
        </code>
        <button type="button" onClick={copy}>
          Copy the command
        </button>
      </div>
      <p className="hint">{client.next}</p>
    </>
  );
}
