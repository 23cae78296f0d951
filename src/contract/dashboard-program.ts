/** A program that holds a signed-in dashboard. */
export type DashboardProgram = {
  /** The process at the connection and its parents of the same program, up to the one that has the windows. */
  pids: readonly number[];
  /** The names of the app. */
  names: readonly string[];
  /** The system does not say whose process it is: every process of an app of these names counts. */
  isByName?: boolean;
  /** The window of Handrail's own profile. The same browser with another profile is another process. */
  isOwnWindow?: boolean;
};
