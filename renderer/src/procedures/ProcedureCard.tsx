import { type FormEvent, useId, useState } from 'react';
import type { Reply } from '../../../src/client/call.ts';
import type { Device } from '../../../src/contract/device.ts';
import { behindMachine } from '../../../src/contract/machine-rules.ts';
import type { PersonsProcedure, Procedure, ProcedureApproval } from '../../../src/contract/procedure.ts';
import { toneOf } from '../activity/activity-words.ts';
import { taskStatusWords } from '../activity/task-words.ts';
import { Choice } from '../controls.tsx';
import type { DashboardModel } from '../dashboard-model.ts';
import { download } from '../download.ts';
import { useNow } from '../hooks.ts';
import { AllowButton } from '../prompt/AnswerButtons.tsx';
import { Quoted, VisibleText } from '../VisibleText.tsx';
import { visibleText } from '../visible-text.ts';
import { boundWords, countOf, labelOf, leftWords, linesOf, runsWords, submissionOf } from './procedure-words.ts';
import { RunForm, Steps } from './RunForm.tsx';

type Props = { item: PersonsProcedure; devices: readonly Device[]; model: DashboardModel };

/** A procedure with its last result and its approvals. It unfolds. */
export function ProcedureCard({ item, devices, model }: Props) {
  const [isOpen, setOpen] = useState(false);
  const now = useNow(30_000);
  const { procedure, runs, approvals } = item;
  const { name, version, digest, steps } = procedure;
  const revoke = (id: string) => model.act(model.client.revoke(id), `The approval of “${name}” is revoked.`);
  return (
    <li className="card procedure" aria-label={name}>
      <div className="card-head">
        <h3>
          <Quoted>{name}</Quoted>
        </h3>
        {runs.latest !== undefined && (
          <span className={`status ${toneOf(runs.latest)}`}>last run: {taskStatusWords(runs.latest)}</span>
        )}
      </div>
      <p className="hint">
        {runsWords(runs)} · version {version}
        {approvals.length === 0 && ' · not approved: each run asks you'}
      </p>
      {approvals.map((approval) => (
        <div key={approval.grantId} className="card-head">
          <span>
            <span className="badge good">Approved</span> {leftWords(approval, now)}
            {devices.length > 1 && ` on ${nameOf(devices.find(({ id }) => id === approval.targetDeviceId))}`}
          </span>
          <button
            type="button"
            aria-label={`Revoke the approval of ${name}`}
            onClick={() => void revoke(approval.grantId)}
          >
            Revoke
          </button>
        </div>
      ))}
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>{countOf(steps.length, 'step')}</summary>
        {/* What was changed since is another procedure: whatever was filled in or held is over. */}
        {isOpen && <Opened key={digest} item={item} devices={devices} model={model} />}
      </details>
    </li>
  );
}

function nameOf(device: Device | undefined): string {
  return visibleText(behindMachine(device?.machine, device?.name ?? ''));
}

const DAYS = [1, 7, 30, 90].map((days) => [days, countOf(days, 'day')] as const);
const RUNS = [1, 10, 50, 500].map((runs) => [runs, countOf(runs, 'run')] as const);

type ApproveFormProps = {
  item: PersonsProcedure;
  targetDeviceId: string;
  /** The steps that are to do without a question what otherwise asks in every run. */
  critical: readonly string[];
  model: DashboardModel;
};

/** Approves a procedure as it is shown. Where a step asks by itself, the button is held, as for any grave approval. */
function ApproveForm({ item, targetDeviceId, critical, model }: ApproveFormProps) {
  const { procedure } = item;
  const { userId, name } = procedure;
  const [days, setDays] = useState(7);
  const [runs, setRuns] = useState(10);
  const [isBusy, setBusy] = useState(false);
  const hintId = useId();
  const asking = linesOf(item).filter(({ step }) => step.asks);
  const left = asking.filter(({ step }) => !critical.includes(step.id)).map(({ number }) => String(number));
  const approve = async () => {
    if (isBusy) return;
    setBusy(true);
    const answer = await approved(model, procedure, { critical, terms: { userId, targetDeviceId, days, runs } });
    await model.act(Promise.resolve(answer), `“${name}” is approved.`);
    // The daemon says what was changed; the page's own sentence is about requests.
    if (!answer.ok && answer.failure.code === 'confirmation_stale') model.notices.problem(answer.failure.detail);
    setBusy(false);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (asking.length === 0) void approve();
  };
  return (
    <form className="procedure-form" onSubmit={submit} aria-label={`Approve ${name}`}>
      <div className="procedure-fields">
        <Choice label="For" value={days} options={DAYS} onChange={setDays} />
        <Choice label="At most" value={runs} options={RUNS} onChange={setRuns} />
      </div>
      <p>
        You approve: <VisibleText>{userId}</VisibleText> makes {countOf(runs, 'run')} of these steps within{' '}
        {countOf(days, 'day')}
        {left.length === 0
          ? ', and none of them asks you.'
          : `. In each run ${left.length === 1 ? 'step' : 'steps'} ${new Intl.ListFormat('en-GB').format(left)} still ${left.length === 1 ? 'asks' : 'ask'} you.`}
      </p>
      {asking.length === 0 ? (
        <button type="submit" className="primary" aria-disabled={isBusy}>
          Approve
        </button>
      ) : (
        <div data-risk="high">
          <AllowButton
            words="Hold to approve"
            arming={{ state: 'alive', canDeny: true }}
            isAlive={!isBusy}
            mustBeHeld
            hintId={hintId}
            onPress={async () => true}
            onAllow={() => void approve()}
          />
          <p className="hint" id={hintId}>
            Press for a second, then let go; on the keyboard, hold A.
          </p>
        </div>
      )}
    </form>
  );
}

type Wanted = { critical: readonly string[]; terms: Omit<ProcedureApproval, 'digest'> };

/** Another choice of steps is the next version of the procedure, made of the one that was shown. */
async function approved(
  { client }: DashboardModel,
  procedure: Procedure,
  { critical, terms }: Wanted,
): Promise<Reply<unknown>> {
  const { name, userId, digest, may } = procedure;
  const isAsShown = critical.length === may.critical.length && critical.every((id) => may.critical.includes(id));
  const listed = isAsShown ? undefined : await client.procedures();
  const isCurrent = listed?.ok === true && listed.value.items.some(isShown);
  // Nothing is kept in the place of a version that nobody has read; the daemon says that it is another one.
  if (!isCurrent) return client.approveProcedure(name, { ...terms, digest });
  const kept = await client.keepProcedure(userId, {
    ...submissionOf(procedure),
    may: { ...may, critical: [...critical] },
  });
  return kept.ok ? client.approveProcedure(name, { ...terms, digest: kept.value.digest }) : kept;

  function isShown({ procedure: each }: PersonsProcedure): boolean {
    return each.userId === userId && each.name === name && each.digest === digest;
  }
}

function Opened({ item, devices, model }: Props) {
  const [form, setForm] = useState<'run' | 'approve'>();
  const [device, setDevice] = useState<string>();
  const { name, userId, description, parameters, may } = item.procedure;
  const [critical, setCritical] = useState<readonly string[]>(may.critical);
  const approved = item.approvals.find(({ runsLeft }) => runsLeft > 0)?.targetDeviceId;
  const targetDeviceId = (devices.find(({ id }) => id === (device ?? approved)) ?? devices[0])?.id;
  const remove = () => model.act(model.client.removeProcedure(userId, name), `The procedure “${name}” is removed.`);
  const save = () =>
    download(new Blob([JSON.stringify(submissionOf(item.procedure), null, 2)]), `procedure ${name}.json`);
  const toggle = (each: 'run' | 'approve') => ({
    'aria-expanded': form === each,
    onClick: () => setForm(form === each ? undefined : each),
  });
  const mark = (id: string) =>
    setCritical(critical.includes(id) ? critical.filter((each) => each !== id) : [...critical, id]);
  return (
    <div className="procedure-form">
      {description !== undefined && (
        <p className="hint">
          It says of itself: <Quoted>{description}</Quoted>
        </p>
      )}
      <Steps
        item={item}
        label={`Steps of ${name}`}
        note={({ id, risk, asks }, number) =>
          asks && (
            <span className="procedure-risk">
              {risk} risk
              {form === 'approve' ? (
                <label className="choice">
                  <input type="checkbox" checked={critical.includes(id)} onChange={() => mark(id)} />
                  <span className="visually-hidden">Step {number}: </span>without a question
                </label>
              ) : (
                ` · ${may.critical.includes(id) ? 'an approval covers it' : 'asks in each run'}`
              )}
            </span>
          )
        }
      />
      <ul aria-label={`Values of ${name}`}>
        {Object.entries(parameters).map(([each, bound]) => (
          <li key={each}>
            {labelOf(each)}: <VisibleText>{boundWords(bound)}</VisibleText>
          </li>
        ))}
      </ul>
      <p className="hint">A run takes at most {may.minutes} min.</p>
      <div className="card-buttons">
        <button type="button" {...toggle('run')}>
          Try or run…
        </button>
        <button type="button" {...toggle('approve')}>
          Approve…
        </button>
        <button type="button" onClick={save}>
          Export
        </button>
        <button type="button" onClick={() => void remove()}>
          Remove
        </button>
      </div>
      {form !== undefined && devices.length > 1 && (
        <Choice
          label="On"
          value={targetDeviceId}
          options={devices.map((each) => [each.id, nameOf(each)])}
          onChange={setDevice}
        />
      )}
      {form !== undefined && targetDeviceId === undefined && <p>Its requester has no device to run it on.</p>}
      {form === 'run' && targetDeviceId !== undefined && (
        <RunForm item={item} targetDeviceId={targetDeviceId} model={model} />
      )}
      {form === 'approve' && targetDeviceId !== undefined && (
        <ApproveForm item={item} targetDeviceId={targetDeviceId} critical={critical} model={model} />
      )}
    </div>
  );
}
