import { useLayoutEffect, useRef } from 'react';
import type { Plan, Prompt } from '../../../src/contract/console.ts';
import type { PromptArming } from './arming.ts';
import { partsOf } from './seen-parts.ts';
import { type SeenRefs, useAllSeen } from './use-all-seen.ts';

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
