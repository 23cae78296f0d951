import { type Static, Type } from 'typebox';

/** Every error code of the HTTP interface, with its status and title. Codes are stable; texts may improve. */
export const PROBLEMS = {
  bad_request: [400, 'Bad request'],
  malformed_http: [400, 'Malformed HTTP'],
  bad_url: [400, 'Bad URL'],
  invalid_json: [400, 'Invalid JSON'],
  validation_failed: [400, 'Validation failed'],
  user_id_invalid: [400, 'Invalid x-user-id'],
  idempotency_key_invalid: [400, 'Invalid Idempotency-Key'],
  upgrade_not_supported: [400, 'Upgrade not supported here'],
  user_id_required: [401, 'x-user-id is required'],
  console_session_required: [401, 'Console session required'],
  user_key_invalid: [401, 'User key required or wrong'],
  agent_token_invalid: [401, 'Agent token missing or wrong'],
  host_not_allowed: [403, 'Host not allowed'],
  origin_not_allowed: [403, 'Origin not allowed'],
  cross_site_request: [403, 'Cross-site request refused'],
  os_user_not_allowed: [403, 'OS user not allowed'],
  action_blocked: [403, 'Action blocked'],
  capability_missing: [403, 'Capability missing'],
  approval_requires_person: [403, 'Only a person can approve'],
  not_found: [404, 'Not found'],
  device_not_found: [404, 'Device not found'],
  action_not_found: [404, 'Action not found'],
  task_not_found: [404, 'Task not found'],
  artifact_not_found: [404, 'Artifact not found'],
  method_not_allowed: [405, 'Method not allowed'],
  request_timeout: [408, 'Request timeout'],
  already_terminal: [409, 'Already finished'],
  confirmation_stale: [409, 'Confirmation is stale'],
  confirmation_resolved: [409, 'Confirmation already answered'],
  confirmation_not_ready: [409, 'Confirmation cannot be answered yet'],
  agent_already_connected: [409, 'An agent is already connected'],
  agent_not_offline: [409, 'The agent is not offline'],
  undo_not_possible: [409, 'Cannot be undone'],
  idempotency_in_progress: [409, 'Same Idempotency-Key in progress'],
  confirmation_expired: [410, 'Confirmation expired'],
  undo_expired: [410, 'Undo expired'],
  artifact_expired: [410, 'Artifact expired'],
  payload_too_large: [413, 'Payload too large'],
  uri_too_long: [414, 'URI too long'],
  unsupported_media_type: [415, 'Unsupported media type'],
  unknown_action_type: [422, 'Unknown action type'],
  parameters_invalid: [422, 'Invalid parameters'],
  not_supported: [422, 'Not supported yet'],
  task_graph_invalid: [422, 'Invalid task graph'],
  task_too_large: [422, 'Task too large'],
  idempotency_key_reused: [422, 'Idempotency-Key reused with another request'],
  upgrade_required: [426, 'Upgrade required'],
  rate_limited: [429, 'Too many requests'],
  too_many_pending: [429, 'Too many waiting confirmations'],
  requester_paused: [429, 'Requester is paused'],
  headers_too_large: [431, 'Headers too large'],
  internal_error: [500, 'Internal error'],
  device_offline: [503, 'Device offline'],
  storage_unavailable: [503, 'Storage unavailable'],
  paused: [503, 'Paused by the person'],
} as const satisfies Record<string, readonly [status: number, title: string]>;

export type ProblemCode = keyof typeof PROBLEMS;

export const PROBLEM_MEDIA_TYPE = 'application/problem+json';

/** RFC 9457 problem details, with our code and the facts of the case beside the standard members. */
export const Problem = Type.Object(
  {
    type: Type.String({ pattern: '^urn:handrail:problem:[a-z_]+$' }),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String({ description: 'the expected value, the received value, and advice' }),
    instance: Type.String({ description: '`urn:uuid:` and the request id' }),
    code: Type.String(),
    errors: Type.Optional(Type.Array(Type.Object({ pointer: Type.String(), message: Type.String() }))),
  },
  { additionalProperties: true },
);
export type Problem = Static<typeof Problem>;
