import { type FormEvent, useId, useState } from 'react';
import type { Machine } from '../../../src/contract/machine.ts';
import { type MachinePart, machineFault } from '../../../src/contract/machine-rules.ts';
import type { DashboardModel } from '../dashboard-model.ts';
import { FieldFault, faultOf } from '../FieldFault.tsx';
import { pageWords } from './machine-words.ts';

type Draft = Record<MachinePart, string>;

const FRESH: Draft = { name: '', address: '', agentCommand: '', display: '' };

const FIELDS: Record<MachinePart, { label: string; placeholder: string; isNeeded: boolean }> = {
  name: { label: 'Name', placeholder: 'studio', isNeeded: true },
  address: { label: 'Address', placeholder: 'ann@studio.local', isNeeded: true },
  agentCommand: { label: 'Path of handrail there', placeholder: 'handrail', isNeeded: false },
  display: { label: 'Display', placeholder: ':0', isNeeded: false },
};

/** Adds a machine. What is wrong is said before the daemon is asked, and what the daemon refuses as well. */
export function MachineForm({ model, onAdded }: { model: DashboardModel; onAdded: () => Promise<void> }) {
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
