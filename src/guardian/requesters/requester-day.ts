import { requestAccess } from '../../domain/catalogue/hands/request-access.ts';
import { isCapture, isInput } from '../../domain/catalogue.ts';

/** The clicks and keys of the hour that begins at a time. */
export type InputsOfHour = { atMs: number; inputs: number };

/** The counts of one requester on one local day, by action type, and its clicks and keys by the hour. */
export type RequesterDay = { userId: string; types: readonly TypeCounts[]; hours: readonly InputsOfHour[] };

/** `novel`: requests for a target that was new to the requester. `captured`: times that it was shown the screen. */
export type TypeCounts = {
  type: string;
  requested: number;
  novel: number;
  high: number;
  captured: number;
  prompted: number;
  succeeded: number;
  failed: number;
  /** Ended because the person took the mouse or the keyboard. */
  interrupted: number;
};

/** The amounts by which a day is compared with others. */
export const MEASURES = ['requested', 'high', 'novel', 'captured', 'inputs', 'interrupted'] as const;
export type Measure = (typeof MEASURES)[number];
/** `prompted`: the questions to the person; `promptedForScreen`: those for the screen. */
/** `newApps`: the apps that it asked access to for the first time. */
export type Amounts = Record<Measure | 'prompted' | 'promptedForScreen' | 'newApps', number>;

export function amountsOf(day: RequesterDay): Amounts {
  return {
    requested: total(day, 'requested'),
    high: total(day, 'high'),
    novel: total(day, 'novel'),
    captured: total(day, 'captured'),
    inputs: total(ofTypes(day, isInput), 'requested'),
    interrupted: total(day, 'interrupted'),
    newApps: total(ofTypes(day, isAccess), 'novel'),
    prompted: total(day, 'prompted'),
    promptedForScreen: total(ofTypes(day, isCapture), 'prompted'),
  };
}

const isAccess = (type: string) => type === requestAccess.name;

function ofTypes(day: RequesterDay, isOne: (type: string) => boolean): RequesterDay {
  return { ...day, types: day.types.filter(({ type }) => isOne(type)) };
}

export function total({ types }: RequesterDay, count: Exclude<keyof TypeCounts, 'type'>): number {
  return types.reduce((sum, each) => sum + each[count], 0);
}
