/**
 * Tests that need nothing but Node and take seconds of processor time each: random plays against models, simulated lives, thousands of
 * histories, and programs that are started. Together they need about as much as all the other ones of `fast`, so `npm run check`
 * leaves them out; `npm test` runs them.
 */
export const LONG_TESTS: readonly string[] = [
  'daemon/start',
  'guardian/active-trends',
  'guardian/calibration',
  'guardian/persons-careful',
  'guardian/persons-others',
  'guardian/persons-stamping',
  'guardian/simulated-life',
  'guardian/twenty-days',
  'http/floods',
  'http/guardian',
  'agent-host/process',
  'services/call-offs',
  'services/insights',
  'services/records/journal-verification',
  'services/rail-model',
  'services/risk',
  'services/tasks-model',
  'services/trend-watch',
  'services/warnings',
  'shell/start-stories',
  'store/laptop-trends',
  'store/guardian/recording',
].map((name) => `test/${name}.test.ts`);
