import { useEffect, useState } from 'react';
import type { PermissionStep, PermissionStepState, ShellBridge } from '../../../src/contract/shell.ts';

/** A person who has just flipped a switch looks back at this page. */
const LOOK_EVERY_MS = 2_000;

/** The permissions that macOS wants from the person, one after the other, each with its state as it is now. Only in the Mac app. */
export function PermissionWalk({ app }: { app: ShellBridge }) {
  const steps = usePermissionSteps(app);
  const isComplete = steps.every(({ state }) => state === 'granted' || state === 'on_demand');
  return (
    <section className="section" aria-labelledby="permissions-title">
      <h2 id="permissions-title">Permissions of this Mac</h2>
      <p className="hint">
        {isComplete
          ? 'Handrail has what it needs.'
          : 'macOS gives these to Handrail when you switch them on. This page looks again every two seconds.'}
      </p>
      <ol className="cards">
        {steps.map((step) => (
          <Step key={step.permission} step={step} app={app} />
        ))}
      </ol>
      {!isComplete && (
        <div className="card-buttons">
          <button type="button" onClick={() => void app.relaunch({})}>
            Relaunch Handrail
          </button>
        </div>
      )}
    </section>
  );
}

const STATE_WORDS: Record<PermissionStepState, string> = {
  granted: 'granted',
  missing: 'missing',
  stale: 'on, without effect',
  unknown: 'checking…',
  on_demand: 'asked when needed',
};

const BADGES: Record<PermissionStepState, string> = {
  granted: 'badge good',
  missing: 'badge bad',
  stale: 'badge bad',
  unknown: 'badge bad',
  on_demand: 'badge',
};

function Step({
  step: { permission, name, state, why, todo, command },
  app,
}: {
  step: PermissionStep;
  app: ShellBridge;
}) {
  return (
    <li className="card">
      <div className="card-head">
        <h3>{name}</h3>
        <span className={BADGES[state]} role="status">
          {STATE_WORDS[state]}
        </span>
      </div>
      <p className="hint">{why}</p>
      {todo !== undefined && <p>{todo}</p>}
      {command !== undefined && (
        <p>
          <code>{command}</code>
        </p>
      )}
      {state !== 'granted' && (
        <div className="card-buttons">
          <button type="button" onClick={() => void app.openPane({ permission })}>
            Open System Settings: {name}
          </button>
        </div>
      )}
    </li>
  );
}

/** Looks at the permissions now and again for as long as they are shown. */
function usePermissionSteps(app: ShellBridge): readonly PermissionStep[] {
  const [steps, setSteps] = useState<readonly PermissionStep[]>([]);
  useEffect(() => {
    let isOver = false;
    const look = async () => {
      const { steps: found } = await app.permissions({});
      if (!isOver) setSteps(found);
    };
    void look();
    const timer = setInterval(() => void look(), LOOK_EVERY_MS);
    return () => {
      isOver = true;
      clearInterval(timer);
    };
  }, [app]);
  return steps;
}
