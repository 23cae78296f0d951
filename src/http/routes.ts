import type { McpDoor } from '../mcp/door.ts';
import type { Services } from '../services/offered-services.ts';
import type { App } from './app.ts';
import { requirePerson, requireSession, requireUserId } from './identity.ts';
import type { HttpLimits } from './limits.ts';
import type { HeldCalls } from './open-calls.ts';
import type { DashboardWatch } from './peers.ts';
import { requirePrintedHost } from './perimeter.ts';
import { addAccessRoutes } from './routes/access.ts';
import { addActionRoutes, addActionTypeRoutes, addArtifactRoutes } from './routes/actions.ts';
import { addComputerUseRoutes } from './routes/computer-use.ts';
import { addAnswerRoutes, addConfirmationRoutes } from './routes/console.ts';
import { addActivityRoutes } from './routes/console-activity.ts';
import {
  addFolderRoutes,
  addGrantRoutes,
  addMachineRoutes,
  addOverviewRoutes,
  addProfileRoutes,
  addRequesterRoutes,
  addStatusRoutes,
} from './routes/console-controls.ts';
import { addConsoleInsightRoutes, addConsoleRiskRoutes, addConsoleSeriesRoutes } from './routes/console-guardian.ts';
import { addSessionRoutes, addSignInRoutes } from './routes/console-sessions.ts';
import { addConsoleCancelRoutes, addConsoleTaskRoutes } from './routes/console-tasks.ts';
import { addDeviceRoutes } from './routes/devices.ts';
import { addConsoleEventRoutes, addUserEventRoutes } from './routes/events.ts';
import { addGuardianRoutes } from './routes/guardian.ts';
import { addHealthRoutes } from './routes/health.ts';
import { addMcpRoutes } from './routes/mcp.ts';
import { addConsoleProcedureRoutes, addProcedureRoutes } from './routes/procedures.ts';
import { addPrometheusRoutes } from './routes/prometheus.ts';
import { addTaskRoutes } from './routes/tasks.ts';

type Parts = {
  services: Services;
  heldCalls: HeldCalls;
  streams: HttpLimits['streams'];
  mcp: McpDoor;
  dashboards: DashboardWatch;
};

/** Every route, under who may call it. */
export function addRoutes(app: App, { services, heldCalls, streams, mcp, dashboards }: Parts): void {
  addHealthRoutes(app, services);
  addPrometheusRoutes(app, services);
  addScope(app, '/api/tee', (scope) => addActionTypeRoutes(scope, services));
  addScope(app, '/api/tee', (scope) => {
    requireUserId(scope, services);
    addUserEventRoutes(scope, { ...services, heldCalls, streams });
    addDeviceRoutes(scope, services);
    addActionRoutes(scope, services, heldCalls);
    addAccessRoutes(scope, services);
    addComputerUseRoutes(scope, services, heldCalls);
    addTaskRoutes(scope, services, heldCalls);
    addProcedureRoutes(scope, services, heldCalls);
    addArtifactRoutes(scope, services);
  });
  addScope(app, '', (scope) => addMcpRoutes(scope, { services, heldCalls, streams, mcp }));
  addScope(app, '/api/guardian', (scope) => addGuardianRoutes(scope, services));
  addScope(app, '/api/console', (scope) => {
    requirePrintedHost(scope);
    addSignInRoutes(scope, services.console, dashboards);
  });
  addScope(app, '/api/console', (scope) => {
    requirePrintedHost(scope);
    requireSession(scope, services.console);
    addConfirmationRoutes(scope, services.console);
    addConsoleEventRoutes(scope, { ...services, heldCalls, streams });
  });
  addScope(app, '/api/console', (scope) => {
    requirePrintedHost(scope);
    requirePerson(scope, services.console);
    addAnswerRoutes(scope, services.console);
    addStatusRoutes(scope, services.console);
    addSessionRoutes(scope, services.console);
    addOverviewRoutes(scope, services.console);
    addMachineRoutes(scope, services.console);
    addGrantRoutes(scope, services.console);
    addActivityRoutes(scope, services.console);
    addConsoleTaskRoutes(scope, services.console);
    addConsoleProcedureRoutes(scope, services.console);
    addConsoleCancelRoutes(scope, services.console);
    addConsoleInsightRoutes(scope, services.guardian);
    addConsoleRiskRoutes(scope, services.guardian);
    addConsoleSeriesRoutes(scope, services.guardian);
    addProfileRoutes(scope, services.console);
    addFolderRoutes(scope, services.console);
    addRequesterRoutes(scope, services.console);
  });
}

function addScope(app: App, prefix: string, add: (scope: App) => void): void {
  app.register(
    (scope, _options, done) => {
      add(scope);
      done();
    },
    { prefix },
  );
}
