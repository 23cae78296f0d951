import { type Static, Type } from 'typebox';
import { EffectClass, PROFILE_NAME, RiskLevel, Verdict } from './action.ts';
import { closed } from './literals.ts';

export const Hour = Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$', description: 'local time, HH:MM' });

/** A rule decides when everything it names applies. */
export const ProfileRule = Type.Object(
  {
    verdict: Verdict,
    levels: Type.Optional(Type.Array(RiskLevel, { minItems: 1, maxItems: 4 })),
    effectClasses: Type.Optional(Type.Array(EffectClass, { minItems: 1, maxItems: 3 })),
    actionTypes: Type.Optional(Type.Array(Type.String({ maxLength: 64 }), { minItems: 1, maxItems: 50 })),
    apps: Type.Optional(Type.Array(Type.String({ maxLength: 200 }), { minItems: 1, maxItems: 100 })),
    paths: Type.Optional(Type.Array(Type.String({ maxLength: 1_000 }), { minItems: 1, maxItems: 100 })),
    hours: Type.Optional(Type.Object({ from: Hour, to: Hour }, closed)),
    morePerMinuteThan: Type.Optional(Type.Integer({ minimum: 0, maximum: 100_000 })),
    morePerHourThan: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
  },
  closed,
);
export type ProfileRule = Static<typeof ProfileRule>;

export const ProfileName = Type.String({ pattern: PROFILE_NAME });

/** Decides between running, asking and blocking: a verdict for each level of risk, and rules that come before it. */
export const Profile = Type.Object(
  {
    name: ProfileName,
    byLevel: Type.Object({ low: Verdict, medium: Verdict, high: Verdict, critical: Verdict }, closed),
    rules: Type.Array(ProfileRule, { maxItems: 100 }),
    requirePlan: Type.Optional(
      Type.Boolean({ description: 'block an action that would ask, unless it is a step of a task' }),
    ),
  },
  closed,
);
export type Profile = Static<typeof Profile>;

export const ProfileList = Type.Object(
  {
    items: Type.Array(Type.Object({ ...Profile.properties, builtIn: Type.Boolean() }, closed)),
    assignments: Type.Array(
      Type.Object({ userId: Type.String({ description: '`*` for everybody else' }), profile: ProfileName }, closed),
    ),
  },
  closed,
);
export type ProfileList = Static<typeof ProfileList>;
