import { type FormEvent, useId, useState } from 'react';
import type { Machine } from '../../../src/contract/machine.ts';
import { type MachinePart, machineFault } from '../../../src/contract/machine-rules.ts';
import type { MachineView } from '../../../src/contract/machine-view.ts';
import { FieldFault, faultOf } from '../controls.tsx';
import type { DashboardModel } from '../dashboard-model.ts';
import { useLoaded, useObservable } from '../hooks.ts';
import { VisibleText } from '../VisibleText.tsx';
import { machineFacts, pageWords, STATUS_WORDS, stopWords } from './device-words.ts';

type Props = { model: DashboardModel; onChanged: () => Promise<void> };

type Draft = Record<MachinePart, string>;

const FRESH: Draft = { name: '', address: '', agentCommand: '', display: '' };

const FIELDS: Record<MachinePart, { label: string; placeholder: string; isNeeded: boolean }> = {
  name: { label: 'Name', placeholder: 'studio', isNeeded: true },
  address: { label: 'Address', placeholder: 'ann@studio.local', isNeeded: true },
  agentCommand: { label: 'Path of handrail there', placeholder: 'handrail', isNeeded: false },
  display: { label: 'Display', placeholder: ':0', isNeeded: false },
};

/** Adds a machine. What is wrong is said before the daemon is asked, and what the daemon refuses as well. */
function MachineForm({ model, onAdded }: { model: DashboardModel; onAdded: () => Promise<void> }) {
  const [draft, setDraft] = useState(FRESH);
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState<{ part?: MachinePart | undefined; words: string }>();
  const id = useId();
  const add = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    const found = faultIn(draft);
    setFault(found);
    if (found !== undefined) return;
    setBusy(true);
    const added = await model.client.addMachine(machineOf(draft));
    setBusy(false);
    if (!added.ok) return setFault({ words: added.failure.detail });
    await model.act(Promise.resolve(added), `Added: ${draft.name}`);
    setDraft(FRESH);
    await onAdded();
  };
  const field = (part: MachinePart) => (
    <span className="field">
      <label htmlFor={`${id}-${part}`}>{FIELDS[part].label}</label>
      <input
        id={`${id}-${part}`}
        value={draft[part]}
        {...faultOf(`${id}-fault`, fault?.part === part ? fault.words : undefined)}
        onChange={({ target }) => setDraft({ ...draft, [part]: target.value })}
        required={FIELDS[part].isNeeded}
        placeholder={FIELDS[part].placeholder}
        autoCapitalize="off"
        autoComplete="off"
        spellCheck={false}
      />
    </span>
  );
  return (
    <form className="folder-form" onSubmit={add} aria-label="Add a machine">
      {field('name')}
      {field('address')}
      <button type="submit" aria-disabled={isBusy}>
        Add a machine
      </button>
      <FieldFault id={`${id}-fault`} fault={fault?.words} />
      <details className="machine-more">
        <summary>More: its display, and where handrail is there</summary>
        <div className="folder-form">
          {field('agentCommand')}
          {field('display')}
        </div>
      </details>
    </form>
  );
}

function faultIn(draft: Draft): { part: MachinePart; words: string } | undefined {
  for (const part of Object.keys(FIELDS) as MachinePart[]) {
    const text = draft[part].trim();
    const fault = text === '' && !FIELDS[part].isNeeded ? undefined : machineFault(part, text);
    if (fault !== undefined) return { part, words: pageWords(`${FIELDS[part].label}: ${fault}.`) };
  }
  return undefined;
}

function machineOf(draft: Draft): Machine {
  const agentCommand = draft.agentCommand.trim();
  const display = draft.display.trim();
  return {
    name: draft.name.trim(),
    address: draft.address.trim(),
    ...(agentCommand !== '' && { agentCommand }),
    ...(display !== '' && { display }),
  };
}

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
