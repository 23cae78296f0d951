import type { Static } from 'typebox';
import { oneOf } from './literals.ts';

/** Why an action failed on the device: codes the agent reports, and those the daemon adds when the agent cannot. */
export const FailureCode = oneOf([
  'app_not_found',
  'permission_missing',
  'display_unavailable',
  'timeout',
  'target_gone',
  'target_changed',
  'coordinates_off_screen',
  'not_supported',
  'busy',
  'invalid_target',
  'artifact_rejected',
  'agent_unavailable',
  'already_exists',
  'too_large',
  'sandbox_unavailable',
  'stale_frame',
  'interrupted_by_person',
  'not_typable',
  'nobody_reached',
  'script_failed',
  'internal_error',
]);
export type FailureCode = Static<typeof FailureCode>;
