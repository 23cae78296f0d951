import type { Command } from './command.ts';
import { access } from './commands/access.ts';
import { act, click, describe, screenshot, type } from './commands/act.ts';
import { agent } from './commands/agent.ts';
import { audit } from './commands/audit.ts';
import { createCompletionCommand } from './commands/completion.ts';
import { connect, disconnect } from './commands/connect.ts';
import { doctor } from './commands/doctor.ts';
import { log, watch } from './commands/log.ts';
import { MACHINE_COMMANDS } from './commands/machine.ts';
import { createMcpCommand } from './commands/mcp.ts';
import { login, open } from './commands/open.ts';
import { pause, resume } from './commands/pause.ts';
import { policyCheck, policyDiff, policyExport, policyTest } from './commands/policy.ts';
import { PROCEDURE_COMMANDS } from './commands/procedure.ts';
import { serviceInstall, serviceUninstall, start } from './commands/service.ts';
import { status } from './commands/status.ts';
import { taskRun } from './commands/task-run.ts';

/** All commands, in the order of the help. */
export const COMMANDS: readonly Command[] = [
  ...[start, status, login, pause, resume],
  ...[describe, screenshot, open, click, type, act, taskRun],
  ...PROCEDURE_COMMANDS,
  ...[watch, log, access, audit],
  ...MACHINE_COMMANDS,
  ...[policyExport, policyCheck, policyTest, policyDiff],
  ...[connect, disconnect],
  createMcpCommand(() => import('../mcp/stdio.ts')),
  ...[doctor, serviceInstall, serviceUninstall, agent],
  createCompletionCommand(() => COMMANDS),
];
