import type { Static } from 'typebox';
import { oneOf } from './literals.ts';

export const RISK_LEVELS = ['low', 'medium', 'high', 'critical'] as const;
export const RiskLevel = oneOf(RISK_LEVELS);
export type RiskLevel = Static<typeof RiskLevel>;
