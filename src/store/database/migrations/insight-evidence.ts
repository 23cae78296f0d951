/** Indexes for the evidence of insights. They are partial, so that only high-risk actions and new users cost an entry. */
export const INSIGHT_EVIDENCE = `
  CREATE INDEX actions_high_risk ON actions (id) WHERE risk_level IN ('high', 'critical');
  CREATE INDEX actions_high_risk_by_kind ON actions (user_id, action_type, id) WHERE risk_level IN ('high', 'critical');
  CREATE INDEX users_by_first_seen ON users (first_seen_at_ms);
`;
