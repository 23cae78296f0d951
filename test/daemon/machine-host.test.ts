import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createMachineHost } from '../../src/daemon/machine-host.ts';
import { fakeSsh } from '../agent-host/fake-ssh.ts';
import { createFakeAgent } from '../services/rig.ts';

const BOX = { name: 'box', address: 'box', addedAtMs: 0 };
const log = { info: () => undefined, warn: () => undefined, error: () => undefined };

test('an attempt that is under way is waited for when the person tries, so the reason is of the machine', async () => {
  const ssh = fakeSsh(
    `cd "$HOME"; while [ ! -e go ]; do sleep 0.05; done; echo 'ssh: Could not resolve hostname box' >"$2"; exit 255`,
  );
  const host = createMachineHost({ local: createFakeAgent(), log: log as never, environment: ssh.environment });
  onTestFinished(() => host.close());
  host.listen(() => ({ statusChanged: () => undefined }) as never);
  host.begin(BOX);
  await vi.waitUntil(() => existsSync(join(ssh.folder, 'words')), { timeout: 10_000 });
  const tried = host.tryNow('box');
  writeFileSync(join(ssh.folder, 'go'), '');
  await tried;
  expect(host.state('box')).toMatchObject({ status: 'unreachable', reason: expect.stringContaining('leads nowhere') });
});

test('A31: a removed machine comes not in the place of another that was added under its name, and is gone at the end', async () => {
  const ssh = fakeSsh(
    `cd "$HOME"
    case "$*" in *old*) ;; *) touch new; exec cat > /dev/null;; esac
    echo $$ > old; while [ ! -e go ]; do sleep 0.05; done
    printf '\\000handrail link\\nnonsense'; touch said; exec sleep 60`,
  );
  const host = createMachineHost({ local: createFakeAgent(), log: log as never, environment: ssh.environment });
  onTestFinished(() => host.close());
  const told: string[] = [];
  const violated = ({ kind }: { kind: string }) => void told.push(kind);
  host.listen(() => ({ statusChanged: () => undefined, lost: () => undefined, violated }) as never);
  const hasMade = (name: string) => vi.waitUntil(() => existsSync(join(ssh.folder, name)), { timeout: 10_000 });
  host.begin({ ...BOX, address: 'old' });
  await hasMade('old');
  host.end('box');
  host.begin({ ...BOX, address: 'new' });
  await hasMade('new');
  writeFileSync(join(ssh.folder, 'go'), '');
  await hasMade('said');
  const pid = Number(readFileSync(join(ssh.folder, 'old'), 'utf8'));
  expect(() => process.kill(pid, 0)).not.toThrow();
  await host.close();
  expect(told).toEqual([]);
  expect(() => process.kill(pid, 0)).toThrow();
}, 20_000);
