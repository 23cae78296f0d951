import { useState } from 'react';
import type { Device } from '../../../src/contract/device.ts';
import type { PersonsProcedure } from '../../../src/contract/procedure.ts';
import { toneOf } from '../activity/activity-words.ts';
import { taskStatusWords } from '../activity/task-words.ts';
import type { DashboardModel } from '../dashboard-model.ts';
import { download } from '../download.ts';
import { Sentence } from '../prompt/Sentence.tsx';
import { Quoted } from '../Quoted.tsx';
import { useNow } from '../use-now.ts';
import { VisibleText } from '../VisibleText.tsx';
import { ApproveForm } from './ApproveForm.tsx';
import {
  boundWords,
  labelOf,
  leftWords,
  linesOf,
  type ProcedureLine,
  runsWords,
  submissionOf,
} from './procedure-words.ts';
import { RunForm } from './RunForm.tsx';

type Props = { item: PersonsProcedure; devices: readonly Device[]; model: DashboardModel };

/** A procedure with its last result and its approvals. It unfolds. */
export function ProcedureCard({ item, devices, model }: Props) {
  const [isOpen, setOpen] = useState(false);
  const { procedure, runs } = item;
  const { latest } = runs;
  return (
    <li className="card procedure" aria-label={procedure.name}>
      <div className="card-head">
        <h3>
          <Quoted>{procedure.name}</Quoted>
        </h3>
        {latest !== undefined && (
          <span>
            <span className="hint">last run</span>{' '}
            <span className={`status ${toneOf(latest)}`}>{taskStatusWords(latest)}</span>
          </span>
        )}
      </div>
      <p className="hint">
        {runsWords(runs)} · version {procedure.version}
      </p>
      <Approvals item={item} devices={devices} model={model} />
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>
          {procedure.steps.length === 1 ? 'Its one step' : `Its ${procedure.steps.length} steps`}, values and buttons
        </summary>
        {/* What was changed since is another procedure: whatever was filled in or held is over. */}
        {isOpen && <Opened key={procedure.digest} item={item} devices={devices} model={model} />}
      </details>
    </li>
  );
}

function Approvals({ item: { procedure, approvals }, devices, model }: Props) {
  const now = useNow(30_000);
  if (approvals.length === 0) return <p className="hint">Not approved: each run asks you.</p>;
  return (
    <ul className="registrations">
      {approvals.map((approval) => {
        const { grantId, targetDeviceId } = approval;
        const device = devices.length > 1 ? devices.find(({ id }) => id === targetDeviceId) : undefined;
        const revoke = () => model.act(model.client.revoke(grantId), `The approval of “${procedure.name}” is revoked.`);
        return (
          <li key={grantId}>
            <span>
              <span className="badge good">Approved</span> {leftWords(approval, now)}
              {device !== undefined && (
                <>
                  {' on '}
                  <VisibleText>{device.name}</VisibleText>
                </>
              )}
            </span>
            <button type="button" aria-label={`Revoke the approval of ${procedure.name}`} onClick={() => void revoke()}>
              Revoke
            </button>
          </li>
        );
      })}
    </ul>
  );
}

const FORMS = { run: 'Try or run…', approve: 'Approve…' } as const;

function Opened({ item, devices, model }: Props) {
  const [form, setForm] = useState<keyof typeof FORMS>();
  const { procedure } = item;
  const { name, userId, description, parameters } = procedure;
  const remove = () => model.act(model.client.removeProcedure(userId, name), `The procedure “${name}” is removed.`);
  const save = () => download(new Blob([JSON.stringify(submissionOf(procedure), null, 2)]), `procedure ${name}.json`);
  return (
    <div className="procedure-opened">
      {description !== undefined && (
        <p className="hint">
          It says of itself: <Quoted>{description}</Quoted>
        </p>
      )}
      <ol className="procedure-steps" aria-label={`Steps of ${name}`}>
        {linesOf(item).map((line) => (
          <Line key={line.number} line={line} critical={procedure.may.critical} />
        ))}
      </ol>
      {Object.keys(parameters).length > 0 && (
        <ul className="procedure-bounds" aria-label={`Values of ${name}`}>
          {Object.entries(parameters).map(([each, bound]) => (
            <li key={each}>
              <strong>
                <VisibleText>{labelOf(each)}</VisibleText>
              </strong>
              : <VisibleText>{boundWords(bound)}</VisibleText>
            </li>
          ))}
        </ul>
      )}
      <p className="hint">A run takes at most {procedure.may.minutes} min.</p>
      <div className="card-buttons">
        {(['run', 'approve'] as const).map((each) => (
          <button
            key={each}
            type="button"
            aria-expanded={form === each}
            onClick={() => setForm(form === each ? undefined : each)}
          >
            {FORMS[each]}
          </button>
        ))}
        <button type="button" onClick={save}>
          Export
        </button>
        <button type="button" onClick={() => void remove()}>
          Remove
        </button>
      </div>
      {form !== undefined && devices.length === 0 && (
        <p className="hint">
          <VisibleText>{userId}</VisibleText> has no device yet. A procedure runs on a device of its requester.
        </p>
      )}
      {form === 'run' && devices.length > 0 && <RunForm item={item} devices={devices} model={model} />}
      {form === 'approve' && devices.length > 0 && <ApproveForm item={item} devices={devices} model={model} />}
    </div>
  );
}

function Line({ line: { number, step, check }, critical }: { line: ProcedureLine; critical: readonly string[] }) {
  return (
    <li className={step.asks ? 'procedure-step asked' : 'procedure-step'} data-risk={step.risk}>
      <p>
        {number}. <Sentence>{step.sentence}</Sentence>
        {step.asks && (
          <span className="procedure-risk">
            {step.risk} risk · {critical.includes(step.id) ? 'an approval covers it' : 'asks in each run'}
          </span>
        )}
      </p>
      {check !== undefined && (
        <details>
          <summary className="hint">Checks afterwards</summary>
          <p>
            <Sentence>{check.sentence}</Sentence>
          </p>
        </details>
      )}
    </li>
  );
}
