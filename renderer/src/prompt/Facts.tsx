import type { RefCallback } from 'react';
import type { Plan, Prompt } from '../../../src/contract/console.ts';
import { type Danger, worstOf } from '../../../src/contract/dangers.ts';
import { Quoted } from '../Quoted.tsx';
import { withTimesInWords } from '../time-words.ts';
import { useNow } from '../use-now.ts';
import { VisibleText } from '../VisibleText.tsx';
import { Arguments } from './Arguments.tsx';
import { CallerProgram } from './CallerProgram.tsx';
import { OtherDangers } from './Dangers.tsx';
import { Fact } from './Fact.tsx';
import { Reach } from './Reach.tsx';
import { Reason } from './Reason.tsx';
import { Sentence } from './Sentence.tsx';

type Props = {
  prompt: Prompt;
  plan: Plan | undefined;
  dangers: readonly Danger[];
  /** Watches whether the arguments were seen to their end. */
  argumentsEnd: RefCallback<HTMLElement> | undefined;
};

/** Everything that the first layer of a prompt does not say. A plan has the facts of its steps in the steps. */
export function Facts({ prompt, plan, dangers, argumentsEnd }: Props) {
  const { task, script, requester } = prompt;
  const now = useNow(30_000);
  const isPlan = plan !== undefined;
  const kind = isPlan ? 'plan' : 'action';
  return (
    <dl className="facts">
      {worstOf(dangers, kind).more > 0 && (
        <Fact name="Also">
          <OtherDangers dangers={dangers} kind={kind} />
        </Fact>
      )}
      {prompt.window !== undefined && (
        <Fact name="Window">
          <VisibleText>{prompt.window}</VisibleText>
        </Fact>
      )}
      {prompt.control !== undefined && (
        <Fact name={prompt.control.includes('\n') ? 'Controls' : 'Control'}>
          <p className="controls">
            <Sentence>{prompt.control}</Sentence>
          </p>
        </Fact>
      )}
      {script !== undefined && <Reach script={script} />}
      {!isPlan && script === undefined && (
        <Fact name="Changes">
          <VisibleText>{prompt.changes}</VisibleText>
        </Fact>
      )}
      {prompt.reason !== undefined && (
        <Fact name="Reason">
          <Reason>{prompt.reason}</Reason>
        </Fact>
      )}
      {task !== undefined && (
        <Fact name="Task">
          {isPlan ? (
            <>
              <Quoted>{task.name}</Quoted> <span className="hint">Requester's words, not verified</span>
            </>
          ) : (
            <TaskStep task={task} />
          )}
        </Fact>
      )}
      {!isPlan && (
        <Fact name="Before">
          <VisibleText>{withTimesInWords(prompt.history, now)}</VisibleText>
        </Fact>
      )}
      <Fact name="Asked by">
        <CallerProgram program={requester.program} />
        <p className="who-facts">
          {[
            ...(requester.program.kind === 'program' ? [`OS user ${requester.program.uid}`] : []),
            ...(requester.hasKey ? ['locked with a key'] : []),
          ].map((fact) => `${fact} · `)}
          for <VisibleText>{prompt.device}</VisibleText>
        </p>
      </Fact>
      {!isPlan && prompt.arguments !== '{}' && (
        <Fact name="Arguments">
          <Arguments text={prompt.arguments} end={argumentsEnd} />
        </Fact>
      )}
    </dl>
  );
}

function TaskStep({ task: { name, step, of, alsoAsks } }: { task: NonNullable<Prompt['task']> }) {
  return (
    <>
      <Quoted>{name}</Quoted>, step {step} of {of}
      {alsoAsks.length > 0 && (
        <>
          ; it will also ask: <VisibleText>{alsoAsks.join('; ')}</VisibleText>
        </>
      )}
    </>
  );
}
