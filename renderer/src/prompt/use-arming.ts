import { type RefCallback, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import type { Confirmation, Plan, Prompt } from '../../../src/contract/console.ts';
import { hasText, mustShowArguments } from '../../../src/contract/first-layer.ts';
import type { DashboardModel } from '../dashboard-model.ts';
import { useObservable } from '../hooks.ts';
import { createArming, type PromptArming } from './arming.ts';
import { askedSteps } from './plan-words.ts';

/** The arming of a prompt, while the person can see it. `deniable`: the id of the prompt that they can deny now. */
export function useArming(
  confirmation: Confirmation,
  model: DashboardModel,
  deniable: RefObject<string | undefined>,
): PromptArming {
  const { id } = confirmation;
  const { connection } = useObservable(model.feed);
  const [arming] = useState(() => armingOf(confirmation, model, deniable.current === id));
  const isReachable = connection !== 'lost';
  useLayoutEffect(
    () =>
      arming.subscribe(() => {
        const armed = arming.get();
        deniable.current = armed.state !== 'away' && armed.canDeny ? id : undefined;
      }),
    [arming, deniable, id],
  );
  // Before the browser paints or hands out a key, so that Esc is never dead in between.
  useLayoutEffect(() => {
    const attend = () => arming.attend(isReachable && model.attention.get());
    attend();
    const stop = model.attention.subscribe(attend);
    return () => {
      stop();
      arming.attend(false);
    };
  }, [arming, model, isReachable]);
  return arming;
}

function armingOf({ id, prompt }: Confirmation, { client, feed, notices }: DashboardModel, wasDeniable: boolean) {
  return createArming({
    level: prompt.risk.level,
    wasDeniable,
    report: (onScreenMs) => client.shown(id, { openedToEnd: true, onScreenMs }),
    onRefused(failure) {
      notices.outcome({ ok: false, failure });
      void feed.refresh();
    },
  });
}

type Shown = { prompt: Prompt; plan: Plan | undefined; equal: readonly string[]; arming: PromptArming };

/**
 * Tells the arming once all of a prompt was on screen. The program behind the requester may become known later, and equal requests
 * may join: then the lines that say so have to be seen, and everything else stays as the person left it.
 */
export function usePromptSeen({ prompt, plan, equal, arming }: Shown): SeenRefs {
  const { refOf, again } = useAllSeen(['start', 'who', ...partsOf(prompt, plan), 'end'], arming.seen);
  const news = JSON.stringify([prompt.requester.program, equal]);
  const shownNews = useRef(news);
  useLayoutEffect(() => {
    if (shownNews.current === news) return;
    shownNews.current = news;
    arming.changed();
    again(['start', 'who']);
  });
  return refOf;
}

/**
 * The parts that a person must have seen before Allow reacts: the text of a script or file from its beginning to its end, each step that the plan asks
 * for, and arguments that may hold more than the rest of the prompt says.
 */
function partsOf(prompt: Prompt, plan: Plan | undefined): string[] {
  if (plan !== undefined) return askedSteps(plan).map(({ id }) => `step ${id}`);
  return [...(hasText(prompt) ? ['text start', 'text'] : []), ...(mustShowArguments(prompt) ? ['arguments'] : [])];
}

/** Gives a ref that watches one of the parts. */
export type SeenRefs = (part: string) => RefCallback<HTMLElement>;

/**
 * Calls back once every part has been on screen at some time, scrolled into view where it must be. The parts are chosen so that
 * everything between them could be read then. `again`: some parts show something else now, so they must be on screen once more.
 */
function useAllSeen(
  parts: readonly string[],
  onAllSeen: () => void,
): { refOf: SeenRefs; again(changed: readonly string[]): void } {
  const [watched] = useState(() => {
    const missing = new Set(parts);
    const seen = (part: string) => {
      missing.delete(part);
      if (missing.size === 0) onAllSeen();
    };
    return { missing, watches: new Map(parts.map((part) => [part, createWatch(() => seen(part))])) };
  });
  const watchOf = (part: string) => {
    const watch = watched.watches.get(part);
    if (watch === undefined) throw new Error(`there is no part ${part} to be seen`);
    return watch;
  };
  return {
    refOf: (part) => watchOf(part).ref,
    again(changed) {
      for (const part of changed) watched.missing.add(part);
      for (const part of changed) watchOf(part).again();
    },
  };
}

/** Calls back when an element comes on screen, and after `again` once more. */
function createWatch(onSeen: () => void) {
  let look = (): void => undefined;
  const ref: RefCallback<HTMLElement> = (element) => {
    if (element === null) return undefined;
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      onSeen();
    });
    look = () => {
      // A part that was seen before the change has to be seen again.
      observer.disconnect();
      observer.observe(element);
    };
    look();
    return () => observer.disconnect();
  };
  return { ref, again: () => look() };
}
