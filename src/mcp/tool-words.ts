/** How a type of action of some risk usually goes. */
export const ASKS = {
  low: 'Usually runs at once.',
  medium: 'Asks the person first.',
  high: 'Asks the person first.',
  critical: 'Asks the person first.',
} as const;

/** What a model is told before anything else. A short list of tools may have no tool for tasks or for the access. */
export function instructionsFor(tools: readonly { name: string }[]): string {
  const told = HINTS.filter(([name]) => tools.some((tool) => tool.name === name)).map(([, hint]) => hint);
  return [INSTRUCTIONS, ...told].join(' ');
}

const HINTS: readonly (readonly [string, string])[] = [
  ['submit_task', 'For several steps in a row call submit_task once: the person then answers once.'],
  ['get_access', 'get_access says what you may do now.'],
];

const INSTRUCTIONS = `Handrail lets you act on the desktop of the person at this computer, who watches. Low risk runs at once. For the rest the person is asked at the Handrail dashboard: a call then waits up to 25 seconds and may answer "awaiting_confirmation" with an actionId. Call wait_for_action with it to get the outcome. Do not repeat the call: it finds the same prompt. Before clicks and keys, call request_access once for the apps you need. If an action says stale_frame or target_changed, take a new look. You cannot approve anything. If the person denies something, do not try another way to the same end; say what you wanted and stop.`;
