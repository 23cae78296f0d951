import { rmSync } from 'node:fs';
import { afterAll, beforeAll } from 'vitest';
import { agentSocketAttacks } from '../http/attacks/agent-socket-attacks.ts';
import { identityAttacks } from '../http/attacks/identity-attacks.ts';
import { messageAttacks } from '../http/attacks/message-attacks.ts';
import { perimeterAttacks } from '../http/attacks/perimeter-attacks.ts';
import { consoleAttacks } from './console-attacks.ts';
import { type DaemonTarget, startDaemonTarget } from './daemon-target.ts';
import { railAttacks } from './rail-attacks.ts';
import { createSecrets, secretsStayUntold } from './secrets.ts';

let opened: DaemonTarget;
const secrets = createSecrets();

beforeAll(async () => {
  opened = await startDaemonTarget();
});
afterAll(async () => {
  await opened.daemon.stop();
  rmSync(opened.ledgerFolder, { recursive: true, force: true });
});

const target = () => opened;

perimeterAttacks(target);
messageAttacks(target);
identityAttacks(target);
// No agent but ours has a live token, so what stands in for one must be refused wherever it is shown.
agentSocketAttacks(target, () => 'A'.repeat(43));
consoleAttacks(target, secrets);
railAttacks(target, secrets);
secretsStayUntold(target, secrets);
