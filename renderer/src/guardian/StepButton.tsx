import type { InsightStep } from '../../../src/contract/guardian.ts';
import type { DashboardModel } from '../dashboard-model.ts';
import { visibleText } from '../visible-text.ts';

/** Where the page shows the answer of a path of the API. */
const ADDRESSES: Record<string, string> = {
  '/api/console/activity': '#/activity',
  '/api/console/tasks': '#/activity?view=tasks',
  '/api/console/confirmations': '#/requests',
  '/api/console/status': '#/devices',
  '/api/console/sessions': '#/access',
  '/api/console/audit/verify': '#/settings',
};
const IS_ACTIVITY = /^(act|tsk)_[0-9A-Z]{26}$/;

/** The next step that Guardian suggests: a button that takes it, or a link to where it can be taken. */
export function StepButton({ step, model }: { step: InsightStep | undefined; model: DashboardModel }) {
  if (step === undefined) return null;
  const { kind, target } = step;
  const label = visibleText(step.label);
  const { client, act } = model;
  if (kind === 'pause_requester' && target !== null) {
    return (
      <button type="button" onClick={() => void act(client.pauseUser(target), `${target} is paused.`)}>
        {label}
      </button>
    );
  }
  if (kind === 'revoke' && target !== null) {
    return (
      <button type="button" onClick={() => void act(client.revoke(target), 'The grant is revoked.')}>
        {label}
      </button>
    );
  }
  if (kind === 'review_grants') return <a href="#/access">{label}</a>;
  if (target !== null && IS_ACTIVITY.test(target)) return <a href={`#/activity/${target}`}>{label}</a>;
  if (kind === 'open_settings' && isPane(target)) return <a href={paneAddress(target, model)}>{label}</a>;
  const address = target === null ? undefined : ADDRESSES[target];
  if (address !== undefined) return <a href={address}>{label}</a>;
  // Another path of the API is for programs.
  if (target?.startsWith('/api/')) return null;
  return (
    <p className="hint">
      {label}
      {target !== null && (
        <>
          : <code>{visibleText(target)}</code>
        </>
      )}
    </p>
  );
}

function isPane(target: string | null): target is string {
  return target?.startsWith('x-apple.systempreferences:') === true;
}

/** A window of the Mac app goes nowhere else: there the page of the devices has the button that opens the pane. */
function paneAddress(target: string, { app }: Pick<DashboardModel, 'app'>): string {
  return app === undefined ? target : '#/devices';
}
