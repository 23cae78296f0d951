import type { Command } from './command.ts';
import { access } from './commands/access.ts';
import { act } from './commands/act.ts';
import { agent } from './commands/agent.ts';
import { audit } from './commands/audit.ts';
import { click } from './commands/click.ts';
import { createCompletionCommand } from './commands/completion.ts';
import { connect } from './commands/connect.ts';
import { describe } from './commands/describe.ts';
import { disconnect } from './commands/disconnect.ts';
import { doctor } from './commands/doctor.ts';
import { log } from './commands/log.ts';
import { login } from './commands/login.ts';
import { MACHINE_COMMANDS } from './commands/machine.ts';
import { createMcpCommand } from './commands/mcp.ts';
import { open } from './commands/open.ts';
import { pause } from './commands/pause.ts';
import { policyCheck, policyDiff, policyExport, policyTest } from './commands/policy.ts';
import { PROCEDURE_COMMANDS } from './commands/procedure.ts';
import { resume } from './commands/resume.ts';
import { screenshot } from './commands/screenshot.ts';
import { serviceInstall, serviceUninstall } from './commands/service.ts';
import { start } from './commands/start.ts';
import { status } from './commands/status.ts';
import { taskRun } from './commands/task-run.ts';
import { type } from './commands/type.ts';
import { watch } from './commands/watch.ts';

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
