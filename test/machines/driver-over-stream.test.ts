import { join } from 'node:path';
import { createSshAgent } from '../../src/agent-host/ssh-agent.ts';
import { DAEMON_FOLDER } from '../../src/packaging/places.ts';
import { describeDriver } from '../agent/driver-contract.ts';
import { fakeSsh } from '../agent-host/fake-ssh.ts';
import { linuxHarness } from '../desktop/linux-harness.ts';
import { driverOver } from './driver-over-link.ts';
import { openLine } from './line.ts';

/** The duties of the Linux driver, through an agent's process and the link over its standard input and output. */
describeDriver(
  'Linux, over a byte stream,',
  linuxHarness(async (environment) => {
    let clean: () => void = () => undefined;
    const ssh = fakeSsh(`exec '${process.execPath}' '${join(DAEMON_FOLDER, 'agent-stdio.js')}'`, (work) => {
      clean = work;
    });
    const line = openLine({
      spawn: ({ attach, ...observe }) =>
        createSshAgent({
          machine: { name: 'studio', address: 'studio' },
          environment: { ...environment, PATH: `${ssh.folder}:${environment.PATH}` },
          attach,
          observe,
        }),
    });
    await line.online();
    return {
      ...driverOver(line),
      async close() {
        await line.close();
        clean();
      },
    };
  }),
);
