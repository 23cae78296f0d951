import type { Verdict } from '../contract/action.ts';
import { lazyCheck } from '../contract/lazy-check.ts';
import { type PolicyExample, PolicyFile } from '../contract/policy.ts';
import type { Profile } from '../contract/profile.ts';
import { type SchemaFault, schemaFaults } from '../contract/schema-faults.ts';
import type { Target, TargetReference } from '../contract/targets.ts';
import { canonicalJson } from './canonical-json.ts';
import type { Assessed } from './catalogue/definition.ts';
import { CATALOGUE } from './catalogue.ts';
import { BUILT_IN_PROFILES, heldName, type Judgement, judge, minutes, outsidePlan } from './profile.ts';

const isPolicyFile = lazyCheck(PolicyFile);

/** A file of profiles, or what is wrong with it. A built-in profile may stand in it as it is, because an export has it. */
export function policyOf(value: unknown): { policy: PolicyFile } | { faults: SchemaFault[] } {
  if (!isPolicyFile(value)) return { faults: schemaFaults(PolicyFile, value) };
  const names = value.profiles.map(({ name }) => name);
  const faults = [
    ...value.profiles.flatMap((profile, index) => nameFaults(profile, index, names)),
    ...(value.examples ?? []).flatMap((example, index) => exampleFaults(example, `/examples/${index}`, names)),
  ];
  return faults.length === 0 ? { policy: value } : { faults };
}

function nameFaults(profile: Profile, index: number, names: readonly string[]): SchemaFault[] {
  const { name } = profile;
  const pointer = `/profiles/${index}/name`;
  if (names.indexOf(name) !== index)
    return [{ pointer, message: `is the name of another profile of the file: ${name}` }];
  const held = heldName(name);
  const isCopy = BUILT_IN_PROFILES.some((builtIn) => canonicalJson(builtIn) === canonicalJson(profile));
  return held === undefined || isCopy ? [] : [{ pointer, message: `cannot be stored. ${held}` }];
}

function exampleFaults(example: PolicyExample, pointer: string, names: readonly string[]): SchemaFault[] {
  const { profile, actionType } = example;
  if (profile !== undefined && !names.includes(profile))
    return [{ pointer: `${pointer}/profile`, message: `is not in the file: there are ${names.join(', ')}` }];
  const assessed = assessedExample(example);
  if (assessed === undefined)
    return [{ pointer: `${pointer}/actionType`, message: `is not known: there is no ${actionType}` }];
  return assessed.ok
    ? []
    : assessed.faults.map((fault) => ({ ...fault, pointer: `${pointer}/parameters${fault.pointer}` }));
}

/** As the device would be asked, if it found the app and the control of the example for everything that the action names. */
function assessedExample({ actionType, parameters = {}, target }: PolicyExample): Assessed | undefined {
  const checked = CATALOGUE.get(actionType)?.check(parameters);
  if (checked?.ok !== true) return checked;
  return checked.assess({ targets: target === undefined ? [] : checked.references.flatMap(foundFor(target)) });
}

const NOWHERE = { x: 0, y: 0, width: 0, height: 0 };

function foundFor({ app: appName, role = 'window', name = '' }: NonNullable<PolicyExample['target']>) {
  const app = { appName, alsoKnownAs: [], risks: [] };
  const window = { app: appName, pid: null, title: name, bounds: NOWHERE, identity: app };
  const nowhere = { pid: null, windowId: null, windowTitle: '', bounds: null };
  const control = { ...nowhere, app, role, name, isPassword: false, isEditable: false, isOwn: false };
  return (reference: TargetReference): Target[] => {
    switch (reference.kind) {
      case 'element':
      case 'focus':
        return [{ ...reference, control }];
      case 'point':
        return [{ ...reference, control, at: { x: 0, y: 0 } }];
      case 'window':
        return [{ ...reference, window: { ...window, id: reference.windowId } }];
      default:
        return [];
    }
  };
}

/** The judgement of an example under one profile, on a device that has every capability. Undefined for an example with faults. */
function judgedExample(example: PolicyExample, profile: Profile): Judgement | undefined {
  const definition = CATALOGUE.get(example.actionType);
  const assessed = assessedExample(example);
  if (definition === undefined || assessed?.ok !== true) return undefined;
  const { assessment } = assessed;
  const judged = judge(
    {
      actionType: definition.name,
      effectClass: definition.effectClass,
      assessment,
      capabilities: assessment.capability === null ? {} : { [assessment.capability]: true },
      minuteOfDay: minutes(example.at ?? '12:00'),
      recent: { perMinute: 1, perHour: 1 },
    },
    profile,
  );
  return outsidePlan(judged, profile, { isStep: example.isStep === true });
}

/** An example that gets another verdict than it says. */
export type FailedExample = { index: number; profile: string; expected: Verdict; judgement: Judgement };

/** Judges each example under the profile that it names, or under every one of the file. */
export function testExamples({ profiles, examples = [] }: PolicyFile): FailedExample[] {
  return examples.flatMap((example, index) =>
    profiles
      .filter(({ name }) => example.profile === undefined || example.profile === name)
      .flatMap((profile) => {
        const judgement = judgedExample(example, profile);
        if (judgement === undefined || judgement.verdict === example.verdict) return [];
        return [{ index, profile: profile.name, expected: example.verdict, judgement }];
      }),
  );
}

/** The profile of a file that is compared with the one in force for a requester. */
export function comparedWith(inForce: Profile, profiles: readonly Profile[]): Profile {
  const [only] = profiles.length === 1 ? profiles : [];
  return only ?? profiles.find(({ name }) => name === inForce.name) ?? inForce;
}
