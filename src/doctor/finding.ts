/** What one check found. Only a problem makes the whole machine unready. */
export type Finding = {
  check: 'display' | 'permissions' | 'programs' | 'port' | 'sandbox' | 'data directory';
  state: 'good' | 'note' | 'problem';
  message: string;
  /** What the person can do about it. */
  remedy?: string;
};
