/** Said by `handrail doctor` and at each start of the daemon. */
export const RUNS_AS_ROOT =
  'Handrail runs as root: each file that a script or an action makes belongs to root, and each action has all rights of the machine.';
