import type { ReactNode, RefCallback } from 'react';
import type { Plan, Prompt } from '../../../src/contract/console.ts';
import { type Danger, worstOf } from '../../../src/contract/dangers.ts';
import { areLong } from '../../../src/contract/first-layer.ts';
import type { ScriptView } from '../../../src/contract/scripts.ts';
import { ScrollBox } from '../controls.tsx';
import { useNow } from '../hooks.ts';
import { withTimesInWords } from '../time-words.ts';
import { ExactText, Quoted, VisibleText } from '../VisibleText.tsx';
import { Sentence } from './Sentence.tsx';
import { CallerProgram } from './WhoAsks.tsx';

type Props = {
  prompt: Prompt;
  plan: Plan | undefined;
  dangers: readonly Danger[];
  /** Watches whether the arguments were seen to their end. */
  argumentsEnd: RefCallback<HTMLElement> | undefined;
};

type DangersProps = { dangers: readonly Danger[]; kind: 'action' | 'plan'; level: Prompt['risk']['level'] };

/** The worst dangers, a line each. Risks that have no band above name their level here, because colour alone is no sign. */
export function Dangers({ dangers, kind, level }: DangersProps) {
  const { shown, more } = worstOf(dangers, kind);
  const hasBand = level === 'high' || level === 'critical';
  return (
    <ul className="dangers" aria-label="Dangers">
      {shown.map((danger, index) => (
        <DangerLine key={`${danger.words} ${danger.at}`} danger={danger}>
          {!hasBand && index === 0 && (
            <>
              <span className="risk">{level} risk</span>{' '}
            </>
          )}
        </DangerLine>
      ))}
      {more > 0 && <li className="hint">+ {more} more</li>}
    </ul>
  );
}

/** The others, for the details. */
function OtherDangers({ dangers, kind }: Omit<DangersProps, 'level'>) {
  const { shown } = worstOf(dangers, kind);
  return (
    <ul className="dangers">
      {dangers.slice(shown.length).map((danger) => (
        <DangerLine key={`${danger.words} ${danger.at}`} danger={danger} />
      ))}
    </ul>
  );
}

function DangerLine({ danger: { words, at }, children }: { danger: Danger; children?: ReactNode }) {
  return (
    <li>
      {children}
      <Sentence>{words}</Sentence>
      {at !== '' && <span className="noticed-at"> {at}</span>}
    </li>
  );
}

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

/** One fact of a prompt: its name and its text. */
function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

/** The places and hosts that a script may read, write and reach. */
export function Reach({ script: { reads, writes, network } }: { script: ScriptView }) {
  const rows = [
    ['Reads', reads],
    ['Writes', writes],
    ['Network', network],
  ] as const;
  return (
    <>
      {rows.map(([name, places]) => (
        <Fact key={name} name={name}>
          <VisibleText>{places.join(', ') || 'nothing'}</VisibleText>
        </Fact>
      ))}
      <Fact name="Undo">not possible</Fact>
    </>
  );
}

/** The reason that the requester gave. Handrail cannot check it. */
export function Reason({ children }: { children: string }) {
  return (
    <>
      <blockquote>
        <ExactText>{children}</ExactText>
      </blockquote>
      <span className="hint">Requester's words, not verified</span>
    </>
  );
}

/** The exact arguments, every character of them. `end` watches whether they were seen to their end. */
function Arguments({ text, end }: { text: string; end: RefCallback<HTMLElement> | undefined }) {
  return (
    <>
      <ScrollBox className="arguments" label="Exact arguments">
        <pre dir="ltr">
          <ExactText>{text}</ExactText>
        </pre>
        {end !== undefined && <span ref={end} className="edge" />}
      </ScrollBox>
      {areLong(text) && <span className="hint">{text.length.toLocaleString('en')} characters</span>}
    </>
  );
}
