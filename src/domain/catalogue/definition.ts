import type { Static, TSchema } from 'typebox';
import type { EffectClass, FailureCode, Risk, RiskLevel } from '../../contract/action.ts';
import type { Capability, Display } from '../../contract/device.ts';
import type { AllowedFolder, FileInside } from '../../contract/files.ts';
import { lazyCheck } from '../../contract/lazy-check.ts';
import { LOCAL } from '../../contract/machine-rules.ts';
import type { TakeScreenshotParameters } from '../../contract/parameters.ts';
import { type SchemaFault, schemaFaults } from '../../contract/schema-faults.ts';
import type { ResolvedApp } from '../../contract/screen.ts';
import type { ContentsView, ScriptView } from '../../contract/scripts.ts';
import type { Target, TargetReference } from '../../contract/targets.ts';
import { onMachine } from '../machine-words.ts';

/** What an action has done when it succeeded, for the person who looks back: the app, site or folder, the kind, and the thing. `window`: the title of the window that got a chord, which may name a document. `to`: the new name of what was renamed, the folder that something was moved into. */
export type Done = { place: string; did: Deed; what: string; window?: string; to?: string; machine?: string };

/** `typed` and `copied`: `what` is a number of characters. */
export type Deed =
  | 'typed'
  | 'filled'
  | 'clicked'
  | 'pressed'
  | 'dragged'
  | 'chose'
  | 'copied'
  | 'saved'
  | 'opened'
  | 'quit'
  | 'closed'
  | 'visited'
  | 'created'
  | 'replaced'
  | 'moved'
  | 'renamed'
  | 'trashed'
  | 'ran';

/** The assessment of one action before it runs. */
export type Assessment = {
  risk: Risk;
  /** The capability that the device must have; `null` if none is needed. */
  capability: Capability | null;
  /** Verb and object, as shown to a person. */
  sentence: string;
  /** The sentence for a prompt that names this folder once: paths in it stand without it. Absent for an action without paths. */
  sentenceIn?(folder: string): string;
  /** What it has done once it succeeded; absent where it only looks, waits or moves what is shown. */
  done?: Done;
  /** The machine on which it acts, where that is another one. */
  machine?: string;
  /** The end of the sentence for the person alone: it tells of contents that the requester has not read. */
  toPerson?: string;
  /** The one thing that the action targets, if there is one: an app, a file, an address. */
  target: string | null;
  /**
   * A denial also covers actions of the same type with this same target, regardless of their other parameters, for as long
   * as it is remembered. An action type without targets has one value for all its actions.
   */
  denialTarget: string;
  /** The script that it runs, and the places and hosts that the script may read, write and reach. */
  script?: ScriptView;
  /** The contents of the file that it writes or moves, where the person has to see them. */
  contents?: ContentsView;
  /** The digest of contents that decided about the risk: with others it is another action. */
  contentsDigest?: string | undefined;
  /** The possible changes, and whether they can be undone. */
  changes: string;
  isIrreversible: boolean;
  /** The region of the screen that it captures, which a prompt can show. */
  region?: TakeScreenshotParameters['region'];
  /** The paths that it names, as they are written, and that are outside of the folders which the person allowed for this use. */
  outside?: readonly string[];
  /** The artifact whose contents it writes. */
  artifactId?: string | undefined;
  /** A part of the request that no device supports yet. The action fails as `not_supported`, without a prompt. */
  unsupported?: string;
  /** A person can approve it only once, because a script, a path or the id of a window may mean something else tomorrow. */
  onceOnly?: boolean;
  /** It leaves out most of a wider call, which its grant arguments stand for: a grant for that one covers it, though it makes none itself. */
  isPartOfWider?: boolean;
  /** It acts on a site, whatever access would cover it: no profile lets it through. */
  onSite?: boolean;
  /** Stands in a grant instead of exactly these parameters: `key` is canonical JSON, and `words` name it for the person. */
  covers?: { key: string; words: string };
  /** The apps and files it touches, which rules of a profile may name. */
  apps: readonly string[];
  /** Every other name of these apps. Rules that ask about an app or block it hold for them too. */
  alsoNamed?: readonly string[];
  paths: readonly string[];
  /** Why its target is sensitive, if it is. */
  sensitive?: string | undefined;
  /** The name looks harmless, and only the device could tell that its target is not. */
  isHidden?: boolean;
  /** Why it may not be done under any profile. */
  forbidden?: string;
  /** No rule of a profile allows it without a question: it is about future actions. */
  alwaysAsks?: boolean;
  /** Its result shows pixels, texts or the clipboard. */
  showsContents?: boolean;
  /** The app in which it looks or acts, and the sites of the pages there. An access that the person gave for all of them lets it through, if its risk is below high. */
  access?: { use: AccessUse; app: ResolvedApp; sites?: readonly string[] } | undefined;
  /** The person must show that they are there to allow it, whatever its risk. */
  needsPresence?: boolean;
  /** The access that its approval gives. */
  asksAccess?: { apps: readonly ResolvedApp[]; use: AccessUse; sites: readonly string[]; minutes: number };
};

/** `input` includes `look`. */
export type AccessUse = 'look' | 'input';

/** The known facts about the device and the targets of an action. */
export type Seen = {
  /** The targets that the agent found. */
  targets?: readonly Target[] | undefined;
  displays?: readonly Display[];
  /** The machine on which it would act; this one by default. */
  machine?: string;
  /** The folders that the person allowed this requester to use. */
  folders?: readonly AllowedFolder[];
  /** The contents of the artifact that it names, as far as they are kept. */
  artifact?: FileInside | undefined;
};

/** Everything about an action type that does not depend on the parameters of one action. */
type Facts = {
  name: string;
  summary: string;
  capability: Capability | null;
  effectClass: EffectClass;
  baseRisk: RiskLevel;
} & Traits;

type Traits = {
  /** Whether its actions are screenshots or descriptions of the screen. */
  isCapture: boolean;
  /** Whether its actions use pointer, keyboard or windows. None runs while a prompt is shown. */
  isInput: boolean;
  /** Whether none of its actions can be undone. */
  isIrreversible: boolean;
  /** The thing that each of its actions is about, where Guardian counts those. */
  countedAs: 'script' | 'file' | null;
  /** Whether a person may put a file back after it. */
  mayHaveUndo: boolean;
  /** Tells a model the facts that the summary leaves out. Each word costs tokens in every conversation. */
  hint: string;
  /** Parameters that the list of tools does not name, because a model rarely needs them. They work all the same. */
  untold: readonly string[];
  /** Parameters that apply if a model does not set them. */
  forModels: Readonly<Record<string, unknown>>;
  /**
   * Parameters that only leave something out of what the sentence says, or give it another form. The person is told the same with and
   * without them, so no grant is bound to them.
   */
  narrowing: readonly string[];
  /** The parameters, with a usual other name of a value replaced by the name in the schema. */
  read(parameters: Record<string, unknown>): Record<string, unknown>;
  /** Whether most agents need it, so that a short list of tools has it. */
  isUsual: boolean;
  /** Whether it may reach the network. */
  reachesOut: boolean;
  /** `wait`: it does nothing on the desktop, so it takes no place from an action that does. */
  lane: 'desktop' | 'wait';
  /**
   * How long an action may take when its caller does not say, in milliseconds. A parameter of a task's step may come from an
   * earlier step and not be known yet.
   */
  usualTimeoutMs(parameters: Readonly<Record<string, unknown>>): number;
};

export const USUAL_MS = 30_000;

/** The traits of a type whose module does not say otherwise. */
const USUAL: Traits = {
  isCapture: false,
  isInput: false,
  isIrreversible: false,
  countedAs: null,
  mayHaveUndo: false,
  hint: '',
  untold: [],
  forModels: {},
  narrowing: [],
  read: (parameters) => parameters,
  isUsual: false,
  reachesOut: false,
  lane: 'desktop',
  usualTimeoutMs: () => USUAL_MS,
};

/** An assessment, or the faults in the parameters that came up with it. */
export type Assessed = { ok: true; assessment: Assessment } | { ok: false; faults: SchemaFault[] };

/** Parameters that fit their schema, with the targets that they name. */
export type Checked =
  | {
      ok: true;
      references: readonly TargetReference[];
      /** Faults a schema cannot express. */
      faults(seen: Seen): SchemaFault[];
      assess(seen: Seen): Assessed;
    }
  | { ok: false; faults: SchemaFault[] };

/** Why an action failed that the agent performed to its end. */
export type Shortfall = { code: FailureCode; message: string; fix?: string };

export type ActionDefinition = Facts & {
  parameters: TSchema;
  /** Why a result of the agent counts as a failure, if it does; pure. */
  shortfall(parameters: unknown, data: unknown): Shortfall | undefined;
  /** Checks the parameters; pure. */
  check(parameters: unknown): Checked;
  /** Checks the parameters and assesses the action once; pure. */
  assess(parameters: unknown, seen?: Seen): Assessed;
};

type Rules<Schema extends TSchema> = Omit<Facts, keyof Traits> & {
  parameters: Schema;
  /** The targets that the parameters name; none by default. */
  targets?(parameters: Static<Schema>): readonly TargetReference[];
  /** Faults a schema cannot express. */
  faults?(parameters: Static<Schema>, seen: Seen): SchemaFault[];
  /** Why a result of the agent counts as a failure; none does by default. */
  shortfall?(parameters: Static<Schema>, data: unknown): Shortfall | undefined;
  assess(parameters: Static<Schema>, seen: Seen): Omit<Assessment, 'isIrreversible'>;
} & Partial<Traits>;

/** Names the machine first, where it is another one than that of the person's prompts. */
function assessedThere(assessment: Assessment, { machine = LOCAL }: Seen): Assessment {
  if (machine === LOCAL) return assessment;
  const { sentence, sentenceIn, covers, done } = assessment;
  const there = (words: string) => onMachine(machine, words);
  return {
    ...assessment,
    machine,
    ...(done !== undefined && { done: { ...done, machine } }),
    sentence: there(sentence),
    ...(sentenceIn !== undefined && { sentenceIn: (folder: string) => there(sentenceIn(folder)) }),
    ...(covers !== undefined && { covers: { ...covers, words: there(covers.words) } }),
  };
}

/** One action type: its rules over checked parameters become a definition over anything. */
export function defineAction<Schema extends TSchema>(rules: Rules<Schema>): ActionDefinition {
  const isParameters = lazyCheck(rules.parameters);
  const { targets: _targets, ...facts } = rules;
  const traits = { ...USUAL, ...facts };
  const { isIrreversible } = traits;

  const faultsOf = (parameters: Static<Schema>, seen: Seen) => rules.faults?.(parameters, seen) ?? [];

  function assessed(parameters: Static<Schema>, seen: Seen): Assessed {
    const faults = faultsOf(parameters, seen);
    if (faults.length > 0) return { ok: false, faults };
    return { ok: true, assessment: assessedThere({ ...rules.assess(parameters, seen), isIrreversible }, seen) };
  }

  function check(parameters: unknown): Checked {
    if (!isParameters(parameters)) return { ok: false, faults: schemaFaults(rules.parameters, parameters) };
    return {
      ok: true,
      references: rules.targets?.(parameters) ?? [],
      faults: (seen) => faultsOf(parameters, seen),
      assess: (seen) => assessed(parameters, seen),
    };
  }

  return {
    ...traits,
    check,
    shortfall: (parameters, data) => (isParameters(parameters) ? rules.shortfall?.(parameters, data) : undefined),
    assess(parameters, seen = {}) {
      const checked = check(parameters);
      return checked.ok ? checked.assess(seen) : checked;
    },
  };
}
