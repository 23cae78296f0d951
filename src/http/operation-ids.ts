/**
 * The name of each operation in the OpenAPI description. Generated clients call their methods by these names, so a name
 * never changes once it is released.
 */
export const OPERATION_IDS: Readonly<Record<string, string>> = {
  'GET /health': 'getHealth',
  'GET /metrics': 'getPrometheusMetrics',
  'GET /api/tee/agent': 'connectAgent',
  'GET /api/tee/events': 'streamEvents',
  'POST /api/tee/devices/register': 'registerDevice',
  'GET /api/tee/devices': 'listDevices',
  'GET /api/tee/devices/{id}': 'getDevice',
  'DELETE /api/tee/devices/{id}': 'deleteDevice',
  'POST /api/tee/actions': 'submitAction',
  'GET /api/tee/actions': 'listActions',
  'GET /api/tee/actions/{id}': 'getAction',
  'POST /api/tee/actions/{id}/cancel': 'cancelAction',
  'GET /api/tee/action-types': 'listActionTypes',
  'POST /api/tee/tasks': 'submitTask',
  'GET /api/tee/tasks': 'listTasks',
  'GET /api/tee/tasks/{id}': 'getTask',
  'POST /api/tee/tasks/{id}/cancel': 'cancelTask',
  'GET /api/tee/artifacts/{id}': 'getArtifact',
  'DELETE /api/tee/artifacts/{id}': 'deleteArtifact',
  'GET /api/guardian/metrics': 'listMetrics',
  'GET /api/guardian/metrics/{type}/series': 'getMetricSeries',
  'GET /api/guardian/tee/metrics': 'getTelemetry',
  'GET /api/guardian/tee/actions': 'listActionLog',
  'GET /api/guardian/tee/tasks': 'listTaskLog',
  'GET /api/guardian/trends': 'listTrends',
  'GET /api/guardian/insights': 'listInsights',
  'GET /api/guardian/dashboard': 'getDashboard',
  'POST /api/console/session': 'openSession',
  'DELETE /api/console/session': 'closeSession',
  'POST /api/console/session/code': 'createSignInCode',
  'GET /api/console/sessions': 'listSessions',
  'DELETE /api/console/sessions/{id}': 'endSession',
  'POST /api/console/sessions/end-others': 'endOtherSessions',
  'GET /api/console/confirmations': 'listConfirmations',
  'GET /api/console/confirmations/{id}': 'getConfirmation',
  'POST /api/console/confirmations/{id}/shown': 'reportConfirmationShown',
  'POST /api/console/confirmations/{id}/hold': 'reportHold',
  'POST /api/console/confirmations/{id}/decision': 'decideConfirmation',
  'GET /api/console/events': 'streamConsoleEvents',
  'GET /api/console/status': 'getStatus',
  'POST /api/console/pause': 'pause',
  'POST /api/console/resume': 'resume',
  'POST /api/console/agent/restart': 'restartAgent',
  'GET /api/console/settings': 'getSettings',
  'PUT /api/console/settings': 'putSettings',
  'GET /api/console/audit/verify': 'verifyAudit',
  'GET /api/console/devices': 'listAllDevices',
  'GET /api/console/activity': 'listActivity',
  'GET /api/console/grants': 'listGrants',
  'DELETE /api/console/grants/{id}': 'revokeGrant',
  'GET /api/console/tasks': 'listAllTasks',
  'POST /api/console/tasks/{id}/steps/{stepId}/resolve': 'resolveStep',
  'POST /api/console/insights/{id}/acknowledge': 'acknowledgeInsight',
  'GET /api/console/profiles': 'listProfiles',
  'PUT /api/console/profiles': 'putProfile',
  'DELETE /api/console/profiles/{id}': 'deleteProfile',
  'PUT /api/console/users/{id}/profile': 'assignProfile',
  'POST /api/console/users/{id}/key': 'createUserKey',
  'DELETE /api/console/users/{id}/key': 'deleteUserKey',
  'POST /api/console/users/{id}/pause': 'pauseUser',
  'POST /api/console/users/{id}/resume': 'resumeUser',
  'POST /api/console/users/{id}/deny-all': 'denyAllOfUser',
};

/** The description with the name of each operation that has one. */
export function withOperationIds<Document extends object>(document: Document): Document {
  const paths = Object.entries<object>('paths' in document ? Object(document.paths) : {});
  const named = paths.map(([path, methods]) => [
    path,
    Object.fromEntries(
      Object.entries(methods).map(([method, operation]) => [
        method,
        { operationId: OPERATION_IDS[`${method.toUpperCase()} ${path}`], ...operation },
      ]),
    ),
  ]);
  return Object.assign({}, document, { paths: Object.fromEntries(named) });
}
