import { useState } from 'react';
import type { MachineView } from '../../../src/contract/machine-view.ts';
import type { DashboardModel } from '../dashboard-model.ts';
import { useLoaded } from '../use-loaded.ts';
import { useObservable } from '../use-observable.ts';
import { VisibleText } from '../VisibleText.tsx';
import { MachineForm } from './MachineForm.tsx';
import { machineFacts, pageWords, STATUS_WORDS, stopWords } from './machine-words.ts';

type Props = { model: DashboardModel; onChanged: () => Promise<void> };

/** The person's other machines, each with how it is reached. */
export function Machines({ model, onChanged }: Props) {
  const { value, reload } = useLoaded(model, model.client.machines);
  const { status } = useObservable(model.feed);
  if (value === undefined) return null;
  const changed = async () => {
    await Promise.all([reload(), onChanged()]);
  };
  return (
    <section className="section" aria-labelledby="machines-title">
      <h2 id="machines-title">Machines</h2>
      <p className="hint">
        Handrail also acts on your other computers, over <code>ssh</code>. Programs cannot add one.
      </p>
      {status?.paused === true && value.items.length > 0 && (
        <div role="status">
          {stopWords(value.items).map((words) => (
            <p key={words}>{words}</p>
          ))}
        </div>
      )}
      {value.items.length > 0 && (
        <ul className="cards">
          {value.items.map((machine) => (
            <MachineCard key={machine.name} machine={machine} model={model} onChanged={changed} />
          ))}
        </ul>
      )}
      <MachineForm model={model} onAdded={changed} />
    </section>
  );
}

function MachineCard({ machine, model, onChanged }: Props & { machine: MachineView }) {
  const { name, address, agentCommand, display, status, reason } = machine;
  const [isBusy, setBusy] = useState(false);
  const test = async () => {
    if (isBusy) return;
    setBusy(true);
    const tested = await model.client.testMachine(name);
    if (!tested.ok) model.notices.outcome(tested);
    await onChanged();
    setBusy(false);
  };
  const facts = machineFacts(machine);
  return (
    <li className="card">
      <div className="card-head">
        <h3>{name}</h3>
        <span role="status" className={status === 'online' ? 'badge good' : 'badge bad'}>
          {STATUS_WORDS[status]}
        </span>
      </div>
      <p className="hint">{[address, display, agentCommand].filter((each) => each !== undefined).join(' · ')}</p>
      {facts.length > 0 && (
        <p>
          <VisibleText>{facts.join(' · ')}</VisibleText>
        </p>
      )}
      {reason !== undefined && (
        <p className="warning">
          <VisibleText>{sentenceOf(reason)}</VisibleText>
        </p>
      )}
      <div className="card-buttons">
        <button type="button" aria-label={`Test ${name}`} aria-disabled={isBusy} onClick={() => void test()}>
          {isBusy ? 'Testing…' : 'Test'}
        </button>
        <RemoveMachine name={name} model={model} onChanged={onChanged} />
      </div>
    </li>
  );
}

function sentenceOf(reason: string): string {
  return pageWords(`${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`);
}

/** Devices and grants go with a machine, so the button asks once more. */
function RemoveMachine({ name, model, onChanged }: Props & { name: string }) {
  const [isAsking, setAsking] = useState(false);
  const remove = async () => {
    setAsking(false);
    await model.act(model.client.removeMachine(name), `Removed: ${name}`);
    await onChanged();
  };
  if (!isAsking) {
    return (
      <button type="button" aria-label={`Remove ${name}…`} onClick={() => setAsking(true)}>
        Remove…
      </button>
    );
  }
  return (
    <>
      <span>Its devices and their grants go with it. What runs there is cancelled.</span>
      <button type="button" className="stop" aria-label={`Remove ${name}`} onClick={() => void remove()}>
        Remove
      </button>
      <button type="button" aria-label={`Keep ${name}`} onClick={() => setAsking(false)}>
        Keep
      </button>
    </>
  );
}
