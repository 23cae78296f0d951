/** How grave an insight is, the least first. The page of the dashboard needs the order without the schemas of `guardian.ts`. */
export const INSIGHT_SEVERITIES = ['info', 'warning', 'high', 'critical'] as const;
