import type { Plan, PlanStep, Prompt } from './console.ts';

/** A danger in one line, and where it was noticed. */
export type Danger = { words: string; at: string };

type Subject = Pick<Prompt, 'script' | 'contents' | 'risk'>;

/** Everything dangerous that Handrail knows of a prompt, the worst first, each once. */
export function dangersOf(prompt: Prompt, plan: Plan | undefined): Danger[] {
  if (plan === undefined) return [...noticedIn(prompt), ...reasonsOf(prompt)];
  const numbered = plan.steps.map((step, index) => ({ step, number: index + 1 }));
  const asked = numbered.filter(({ step }) => step.consent === 'asked');
  const worst = asked.filter(({ step }) => step.risk.level === prompt.risk.level);
  const others = asked.filter((one) => !worst.includes(one));
  return once([...inSteps(worst, noticedIn), ...inSteps(worst, reasonsOf), ...inSteps(others, noticedIn)]);
}

type NumberedStep = { step: PlanStep; number: number };

function inSteps(steps: readonly NumberedStep[], find: (subject: Subject) => Danger[]): Danger[] {
  const found = steps.flatMap(({ step, number }) =>
    find(step).map(({ words }, turn) => ({ turn, danger: { words, at: `step ${number}` } })),
  );
  // The first of each step before the second of any: many of one step must not push out the only one of another.
  return found.sort((one, other) => one.turn - other.turn).map(({ danger }) => danger); // guard A5-1
}

const MOST_LINES = 4;
/** Words of the lines that are shown. A plan needs room for its steps. */
const MOST_WORDS = { action: 18, plan: 12 };

/** The first few of them, as far as a person takes them in at a glance, and how many more there are. */
export function worstOf(
  dangers: readonly Danger[],
  kind: keyof typeof MOST_WORDS,
): { shown: readonly Danger[]; more: number } {
  let words = 0;
  const within = dangers.findIndex((danger, index) => {
    words += `${danger.words} ${danger.at}`.split(/\s+/u).length;
    return index > 0 && words > MOST_WORDS[kind];
  });
  const fitting = within < 0 ? dangers.length : within;
  const most = fitting < dangers.length || dangers.length > MOST_LINES ? Math.min(fitting, MOST_LINES - 1) : fitting;
  return { shown: dangers.slice(0, most), more: dangers.length - most };
}

function noticedIn({ script, contents }: Subject): Danger[] {
  const subject = script ?? contents;
  if (subject === undefined) return [];
  const dangers = subject.noticed.map(({ words, ...place }) => ({ words: capital(words), at: placeOf(place) }));
  return subject.noticedCut ? [...dangers, { words: 'Handrail could not read all of it.', at: '' }] : dangers;
}

/** The reasons for the risk without those that only repeat what was noticed. */
function reasonsOf(subject: Subject): Danger[] {
  const { noticed = [] } = subject.script ?? subject.contents ?? {};
  const told = noticed.map(({ words }) => `It ${words} (`);
  return subject.risk.reasons
    .filter((reason) => !told.some((beginning) => reason.startsWith(beginning)))
    .filter((reason) => noticedIn(subject).length === 0 || !/^Handrail (?:noticed dangers|did not read)/u.test(reason))
    .map((words) => ({ words, at: '' }));
}

function once(dangers: readonly Danger[]): Danger[] {
  const told = new Set<string>();
  return dangers.filter(({ words }) => !told.has(words) && told.add(words));
}

/** "lines 2, 4" or "in BASH_ENV". */
export function placeOf(
  { lines, variable }: { lines: readonly number[]; variable?: string | undefined },
  most = lines.length,
): string {
  const shown = lines.slice(0, most).join(', ');
  const counted = `${lines.length === 1 ? 'line' : 'lines'} ${shown}${lines.length > most ? ', …' : ''}`;
  return [...(variable === undefined ? [] : [`in ${variable}`]), ...(lines.length === 0 ? [] : [counted])].join(', ');
}

function capital(words: string): string {
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}
