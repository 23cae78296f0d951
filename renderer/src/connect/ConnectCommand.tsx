import type { DashboardModel } from '../dashboard-model.ts';
import { Unbroken } from '../Unbroken.tsx';
import { useLoaded } from '../use-loaded.ts';
import type { CLIENTS } from './clients.ts';

type Props = { client: (typeof CLIENTS)[number]; model: DashboardModel };

/** The command for one client. The daemon knows how it was started, and so which command works. */
export function ConnectCommand({ client, model }: Props) {
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
