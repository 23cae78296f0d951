import { type CSSProperties, useState } from 'react';
import type { Failure } from '../../../src/client/call.ts';
import type { Bounds } from '../../../src/contract/device.ts';
import type { ProcedureMend, ProcedureStep } from '../../../src/contract/procedure.ts';
import { StoredPicture } from '../activity/EvidencePictures.tsx';
import { Choice, FieldFault } from '../controls.tsx';
import type { DashboardModel } from '../dashboard-model.ts';
import { useLoaded } from '../hooks.ts';
import { goTo } from '../pages.ts';
import { VisibleText } from '../VisibleText.tsx';
import { submissionOf } from './procedure-words.ts';

type Look = NonNullable<ProcedureMend['look']>;

/** A run of a procedure stopped: its step and pictures. The person looks at what is there now and chooses the control that was meant. */
export function Mend({ taskId, model }: { taskId: string; model: DashboardModel }) {
  const { value: stopped } = useLoaded(model, () => model.client.mendProcedure(taskId, false));
  const [found, setFound] = useState<ProcedureMend>();
  const [looks, setLooks] = useState(0);
  const [failure, setFailure] = useState<Failure>();
  const look = async () => {
    const answer = await model.client.mendProcedure(taskId, true);
    setFound(answer.ok ? answer.value : undefined);
    setFailure(answer.ok ? undefined : answer.failure);
    setLooks(looks + 1);
  };
  if (stopped === undefined) return null;
  const { stepId, isExpectation, wanted, problem, advice, worked, missed } = stopped;
  return (
    <section className="procedure-form" aria-label="Mend the procedure">
      <p>
        Step <code>{stepId}</code>
        {!problem.includes(wanted) && (
          <>
            {isExpectation ? ' then expected ' : ' looked for '}
            <VisibleText>{wanted}</VisibleText>
          </>
        )}
        : <VisibleText>{problem}</VisibleText>
      </p>
      <div className="before-after">
        {worked !== undefined && (
          <StoredPicture
            picture={worked}
            caption={isExpectation ? 'After this step, an earlier time' : 'When the control was last found'}
            alt="The place of the step, an earlier time"
            model={model}
          />
        )}
        {missed !== undefined && (
          <StoredPicture
            picture={missed}
            caption="When it missed"
            alt="The screen when the step missed"
            model={model}
          />
        )}
      </div>
      {advice !== undefined && <p>{advice}</p>}
      {advice === undefined && (
        <button type="button" onClick={() => void look()}>
          {found === undefined ? 'Mend…' : 'Look again'}
        </button>
      )}
      <FieldFault id="mend-fault" fault={failure?.detail} />
      {found?.look !== undefined && <Meant key={looks} found={found} look={found.look} model={model} />}
    </section>
  );
}

function Meant({ found, look, model }: { found: ProcedureMend; look: Look; model: DashboardModel }) {
  const { procedure, stepId, isExpectation } = found;
  const { controls, picture } = look;
  const [chosen, choose] = useState<number>();
  const meant = chosen === undefined ? undefined : controls[chosen]?.target;
  const mended = (step: ProcedureStep): ProcedureStep => {
    if (meant === undefined || step.id !== stepId) return step;
    const { withinMs } = step.expect ?? {};
    const expect = { element: { role: meant.role, name: meant.name }, withinMs };
    return isExpectation ? { ...step, expect } : { ...step, target: meant };
  };
  const save = async () => {
    const next = { ...submissionOf(procedure), steps: procedure.steps.map(mended) };
    const kept = await model.client.keepProcedure(procedure.userId, next);
    if (kept.ok) goTo({ page: 'procedures' });
    await model.act(
      Promise.resolve(kept),
      `“${procedure.name}” is mended. It asks in each run until you approve it again.`,
    );
  };
  return (
    <>
      {picture === undefined ? (
        <p className="hint">There is no picture of the app now. Choose from the list.</p>
      ) : (
        <FreshPicture picture={picture} controls={controls} chosen={chosen} choose={choose} />
      )}
      <Choice
        label={isExpectation ? 'What tells that it worked' : 'The control that is meant'}
        value={chosen ?? -1}
        options={[[-1, 'choose…'], ...controls.map(({ words }, index) => [index, words] as const)]}
        onChange={(index) => choose(index < 0 ? undefined : index)}
      />
      {controls.length === 0 && <p className="hint">No control with a name is on the screen now.</p>}
      <button
        type="button"
        className="primary"
        aria-disabled={meant === undefined}
        onClick={() => meant && void save()}
      >
        Save as the next version
      </button>
    </>
  );
}

type FreshProps = {
  picture: NonNullable<Look['picture']>;
  controls: Look['controls'];
  chosen: number | undefined;
  choose(index: number): void;
};

/** The app as it is now. Each control with a name has a frame, which chooses it. */
function FreshPicture({ picture: { mediaType, base64, region }, controls, chosen, choose }: FreshProps) {
  return (
    <figure>
      <figcaption className="hint">As it is now. Choose the control in its frame, or from the list.</figcaption>
      <div className="mend-picture">
        <img src={`data:${mediaType};base64,${base64}`} alt="The app as it is now" />
        {controls.map(
          ({ bounds, words }, index) =>
            bounds !== undefined && (
              <button
                key={words}
                type="button"
                className="mend-frame"
                aria-label={words}
                title={words}
                aria-pressed={chosen === index}
                style={placeIn(region, bounds)}
                onClick={() => choose(index)}
              />
            ),
        )}
      </div>
    </figure>
  );
}

/** Smaller controls lie over larger ones. */
function placeIn(region: Bounds, { x, y, width, height }: Bounds): CSSProperties {
  const share = (part: number, whole: number) => `${(100 * part) / whole}%`;
  return {
    left: share(x - region.x, region.width),
    top: share(y - region.y, region.height),
    width: share(width, region.width),
    height: share(height, region.height),
    zIndex: Math.max(1, Math.round((1_000_000 * region.height) / Math.max(1, height * width))),
  };
}
