import { createHash } from 'node:crypto';
import type { RiskLevel } from '../../src/contract/action.ts';
import type { Chance } from '../bench/simulation/chance.ts';

/** A prompt as a person sees it. `isKnown`: they have allowed exactly this request before. */
export type ShownPrompt = { characters: number; risk: RiskLevel; isKnown: boolean; digest: string };

/** The answer to a prompt; `null` when the person gives none. */
export type Reply = { isAllowed: boolean; tookMs: number } | null;

/** How one person answers. `day`: working days since they began. */
export type Person = {
  answer(prompt: ShownPrompt, day: number): Reply;
  promptsOfDay(): number;
  deniesOneADay?: boolean;
};

/** A person of some kind, drawn by chance. */
export type Kind = { name: string; draw(chance: Chance): Person };

const FAVOURITES = 6;

/** Half of the prompts repeat a short request; the others are new: short ones, some with long arguments, now and then a plan. */
export function drawPrompt(chance: Chance, allowed: ReadonlySet<string>): ShownPrompt {
  const risk = chance.is(0.15) ? 'high' : 'medium';
  if (chance.is(0.5)) {
    const favourite = chance.whole(1, FAVOURITES);
    const digest = digestOf(`favourite ${favourite} ${risk}`);
    return { characters: 130 + 20 * favourite, risk, digest, isKnown: allowed.has(digest) };
  }
  const longest = chance.pick([400, 400, 400, 800, 800, 2_800]);
  return {
    characters: Math.round(chance.between(longest / 3, longest)),
    risk,
    digest: digestOf(String(chance.share())),
    isKnown: false,
  };
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Allows every request after about the same time. `spread`: of ln of the time. */
export function stamper(
  medianMs: number | [number, number],
  more: { deniesOneADay?: boolean; promptsADay?: number } = {},
): Kind {
  const { deniesOneADay = false, promptsADay } = more;
  const about = Array.isArray(medianMs) ? `${medianMs[0]} to ${medianMs[1]}` : `${medianMs}`;
  const denials = deniesOneADay ? ', one denial a day' : '';
  const often = promptsADay === undefined ? '' : `, ${promptsADay} prompts a day`;
  return {
    name: `everything allowed after ${about} ms${denials}${often}`,
    draw(chance) {
      const ownMs = Array.isArray(medianMs) ? chance.between(...medianMs) : medianMs;
      const spread = chance.between(0.25, 0.4);
      return {
        answer: () => ({ isAllowed: true, tookMs: chance.around(ownMs, spread) }),
        promptsOfDay: () => promptsADay ?? chance.whole(5, 40),
        deniesOneADay,
      };
    },
  };
}

/** Reads in proportion to length and risk, in a median of 5 to 12 s, and denies some requests, risky ones more often. */
export function careful(more: { medianMs?: number; promptsADay?: number } = {}): Kind {
  const { medianMs, promptsADay } = more;
  const about = medianMs === undefined ? 'in a median of 5 to 12 s' : `in a median of ${medianMs} ms`;
  return {
    name: `requests read ${about}${promptsADay === undefined ? '' : `, ${promptsADay} prompts a day`}`,
    draw(chance) {
      const ownMs = medianMs ?? chance.between(5_000, 12_000);
      const denied = chance.between(0.03, 0.12);
      const answer = (prompt: ShownPrompt) => readCarefully(chance, prompt, { ownMs, denied });
      return { answer, promptsOfDay: () => promptsADay ?? chance.whole(5, 40) };
    },
  };
}

/** Half of the time goes with the length and half does not; 210 characters are about the median length. */
function readCarefully(
  chance: Chance,
  prompt: ShownPrompt,
  { ownMs, denied }: { ownMs: number; denied: number },
): Reply {
  const byLength = 0.5 + 0.5 * (prompt.characters / 210);
  const byRisk = prompt.risk === 'high' ? 1.5 : 0.95;
  const tookMs = chance.around(ownMs * byLength * byRisk, 0.35);
  return { isAllowed: !chance.is(prompt.risk === 'high' ? 2 * denied : denied), tookMs };
}

/** Passes requests that they know at a glance, and reads the others. */
export const quickWithKnownRequests: Kind = {
  name: 'known requests allowed at a glance, new ones read',
  draw(chance) {
    const glanceMs = chance.between(2_000, 2_600);
    const ownMs = chance.between(6_000, 9_000);
    return {
      answer: (prompt) =>
        prompt.isKnown
          ? { isAllowed: !chance.is(0.01), tookMs: chance.around(glanceMs, 0.35) }
          : readCarefully(chance, prompt, { ownMs, denied: 0.1 }),
      promptsOfDay: () => chance.whole(5, 40),
    };
  },
};

/** Denies most requests, fast. */
export const denying: Kind = {
  name: 'most requests denied',
  draw(chance) {
    const denied = chance.between(0.5, 0.95);
    const ownMs = chance.between(1_500, 6_000);
    return {
      answer: () => ({ isAllowed: !chance.is(denied), tookMs: chance.around(ownMs, 0.5) }),
      promptsOfDay: () => chance.whole(5, 40),
    };
  },
};

/** Is hardly ever there. */
export const absent: Kind = {
  name: 'hardly any request answered',
  draw(chance) {
    return {
      answer: (prompt) => (chance.is(0.95) ? null : readCarefully(chance, prompt, { ownMs: 7_000, denied: 0.05 })),
      promptsOfDay: () => chance.whole(5, 40),
    };
  },
};

export const CAREFUL_DAYS = 30;
const QUICKENING_DAYS = 10;
export const STAMPING_FROM_DAY = CAREFUL_DAYS + QUICKENING_DAYS;

/** Careful for six weeks of work; then they quicken over two weeks until they allow everything at once. */
export function drifting(toMs: number): Kind {
  return {
    name: `careful for six weeks, after two more everything allowed after ${toMs} ms`,
    draw(chance) {
      const ownMs = chance.between(5_000, 12_000);
      return {
        answer(prompt, day) {
          const done = Math.min(1, Math.max(0, (day - CAREFUL_DAYS + 1) / QUICKENING_DAYS));
          const read = readCarefully(chance, prompt, { ownMs, denied: 0.06 * (1 - done) });
          const stampedMs = chance.around(toMs, 0.3);
          return read && { isAllowed: read.isAllowed, tookMs: read.tookMs ** (1 - done) * stampedMs ** done };
        },
        promptsOfDay: () => chance.whole(5, 40),
      };
    },
  };
}
