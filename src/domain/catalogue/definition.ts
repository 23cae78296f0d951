import type { Static, TSchema } from 'typebox';
import type { EffectClass, Risk, RiskLevel } from '../../contract/action.ts';
import type { Capability, Display } from '../../contract/device.ts';
import type { AllowedFolder, FileInside, ResolvedPath } from '../../contract/files.ts';
import { lazyCheck } from '../../contract/lazy-check.ts';
import type { TakeScreenshotParameters } from '../../contract/parameters.ts';
import { type SchemaFault, schemaFaults } from '../../contract/schema-faults.ts';
import type { ResolvedWindow } from '../../contract/screen.ts';
import type { ContentsView, ScriptView } from '../../contract/scripts.ts';

/** A path that only the agent can follow. `into`: what is there decides about the risk, so the agent also looks into it. */
export type PathQuestion = { path: string; into?: boolean };

/** The assessment of one action before it runs. */
export type Assessment = {
  risk: Risk;
  /** The capability that the device must have; `null` if none is needed. */
  capability: Capability | null;
  /** Verb and object, as shown to a person. */
  sentence: string;
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
  /**
   * The window it names. An id says nothing to a person, and another window may have it tomorrow: the action is bound to the
   * window that has the id when it is asked about, and is never allowed for longer than once.
   */
  windowId?: string | undefined;
  /** The region of the screen that it captures, which a prompt can show. */
  region?: TakeScreenshotParameters['region'];
  /** The paths that it names, as they are written. Only the agent can say where they lead. */
  files?: readonly PathQuestion[];
  /** Those of them that are outside of the folders which the person allowed for this use. */
  outside?: readonly string[];
  /** The artifact whose contents it writes. */
  artifactId?: string | undefined;
  /** A part of the request that no device supports yet. The action fails as `not_supported`, without a prompt. */
  unsupported?: string;
  /** A person can approve it only once, because what was approved may be something else tomorrow. */
  onceOnly?: boolean;
  /** The apps and files it touches, which rules of a profile may name. */
  apps: readonly string[];
  paths: readonly string[];
  /** Why its target is sensitive, if it is. */
  sensitive?: string | undefined;
  /** The name looks harmless, and only the device could tell that its target is not. */
  isHidden?: boolean;
  /** Why it may not be done under any profile. */
  forbidden?: string;
};

/** The device's description of itself, as far as it is known. */
export type Seen = {
  /** The window that the parameters name. */
  window?: ResolvedWindow | undefined;
  displays?: readonly Display[];
  /** Where the paths of the action lead. */
  files?: readonly ResolvedPath[] | undefined;
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
  /** Whether its actions show the requester what is on the screen. */
  isCapture: boolean;
  /** Whether none of its actions can be undone. */
  isIrreversible: boolean;
  /** Whether a person may put a file back after it. */
  mayHaveUndo: boolean;
  /** For a model: what the summary leaves open. Each word costs tokens in every conversation. */
  hint: string;
  /** Parameters that the list of tools does not name, because a model rarely needs them. They work all the same. */
  untold: readonly string[];
  /** Parameters that a model gets where it names none of its own. */
  forModels: Readonly<Record<string, unknown>>;
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
  isIrreversible: false,
  mayHaveUndo: false,
  hint: '',
  untold: [],
  forModels: {},
  isUsual: false,
  reachesOut: false,
  lane: 'desktop',
  usualTimeoutMs: () => USUAL_MS,
};

/** An assessment, or the faults in the parameters that came up with it. */
export type Assessed = { ok: true; assessment: Assessment } | { ok: false; faults: SchemaFault[] };

/** Parameters that fit their schema can be assessed again and again, as more becomes known about their targets. */
export type Checked = { ok: true; assess(seen: Seen): Assessed } | { ok: false; faults: SchemaFault[] };

export type ActionDefinition = Facts & {
  parameters: TSchema;
  /** Checks the parameters; pure. */
  check(parameters: unknown): Checked;
  /** Checks the parameters and assesses the action once; pure. */
  assess(parameters: unknown, seen?: Seen): Assessed;
};

type Rules<Schema extends TSchema> = Omit<Facts, keyof Traits> & {
  parameters: Schema;
  /** Faults a schema cannot express. */
  faults?(parameters: Static<Schema>, seen: Seen): SchemaFault[];
  assess(parameters: Static<Schema>, seen: Seen): Omit<Assessment, 'isIrreversible'>;
} & Partial<Traits>;

/** One action type: its rules over checked parameters become a definition over anything. */
export function defineAction<Schema extends TSchema>(rules: Rules<Schema>): ActionDefinition {
  const isParameters = lazyCheck(rules.parameters);
  const traits = { ...USUAL, ...rules };
  const { isIrreversible } = traits;

  function assessed(parameters: Static<Schema>, seen: Seen): Assessed {
    const faults = rules.faults?.(parameters, seen) ?? [];
    if (faults.length > 0) return { ok: false, faults };
    return { ok: true, assessment: { ...rules.assess(parameters, seen), isIrreversible } };
  }

  function check(parameters: unknown): Checked {
    if (!isParameters(parameters)) return { ok: false, faults: schemaFaults(rules.parameters, parameters) };
    return { ok: true, assess: (seen) => assessed(parameters, seen) };
  }

  return {
    ...traits,
    check,
    assess(parameters, seen = {}) {
      const checked = check(parameters);
      return checked.ok ? checked.assess(seen) : checked;
    },
  };
}
