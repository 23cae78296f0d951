import type { MetricSnapshot } from '../../contract/guardian.ts';
import type { Risk } from '../../guardian/risk/assess-risk.ts';
import type { Happened } from './risk.ts';

/** A window with its events, its metrics and its risk. */
export type Assessed = Happened & { risk: Risk; metrics: MetricSnapshot[] };
