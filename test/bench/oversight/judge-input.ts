import { CATALOGUE } from '../../../src/domain/catalogue.ts';
import { judgedWithAccess } from '../../domain/with-access.ts';
import { controlOf, withPlace } from './control.ts';
import type { OversightRecord } from './data.ts';
import type { Judged } from './submit.ts';

const OUTCOMES = { block: 'blocked', ask: 'shown', allow: 'let through' } as const;

/** Whether a record is about pointer or keyboard. A dry run cannot bring the control that it aims at. */
export function isOnInput({ actionType }: Pick<OversightRecord, 'actionType'>): boolean {
  return CATALOGUE.get(actionType)?.isInput === true;
}

/** Whether access to its app may let a record through: input, and an address, which the browser opens. */
export function isWithinAccess(record: Pick<OversightRecord, 'actionType'>): boolean {
  return isOnInput(record) || record.actionType === 'OpenUrl';
}

/** Judges a record of input or of an address by the rules themselves, as if the person had given access for input to its app. */
export function judgeInput(record: OversightRecord): Judged {
  const startedAtMs = performance.now();
  const { actionType } = record;
  const judged = judgedWithAccess({ actionType, parameters: withPlace(record), control: controlOf(record) });
  const tookMs = performance.now() - startedAtMs;
  return { record, outcome: OUTCOMES[judged.verdict], sentence: judged.sentence, level: judged.level, tookMs };
}
