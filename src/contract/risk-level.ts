import type { Static } from 'typebox';
import { oneOf } from './literals.ts';

export const RiskLevel = oneOf(['low', 'medium', 'high', 'critical']);
export type RiskLevel = Static<typeof RiskLevel>;
