/** The finding of one check. Only a problem makes the whole machine unready. */
export type Finding = {
  check:
    | 'display'
    | 'permissions'
    | 'accessibility'
    | 'programs'
    | 'port'
    | 'sandbox'
    | 'data directory'
    | 'user'
    | 'machines';
  state: 'good' | 'note' | 'problem';
  message: string;
  /** The remedy for the person. */
  remedy?: string;
};
