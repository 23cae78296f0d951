import { afterAll, beforeAll } from 'vitest';
import { createSshAgent } from '../../src/agent-host/ssh-agent.ts';
import { describeDriver } from '../agent/driver-contract.ts';
import { linuxHarness } from '../desktop/linux-harness.ts';
import { machineHas } from '../runner/machine-needs.ts';
import { driverOver } from './driver-over-link.ts';
import { openLine } from './line.ts';
import { type SecondMachine, startSecondMachine } from './sshd.ts';

const NO_DISPLAY = ':59000';

/** The duties of the Linux driver, through a real `ssh` and `sshd`, by another account on its own desktop. */
let second: SecondMachine;

beforeAll(async () => {
  if (machineHas('root')) second = await startSecondMachine();
});

afterAll(() => second?.close());

describeDriver(
  'Linux, over ssh,',
  linuxHarness(
    async ({ PATH = '', XDG_DATA_HOME = '', DISPLAY = NO_DISPLAY }) => {
      const machine = {
        ...second.machine,
        agentCommand: second.commandWith({ PATH, XDG_DATA_HOME }),
        display: DISPLAY,
      };
      const { environment, sshArguments } = second;
      const line = openLine({
        spawn: ({ attach, ...observe }) => createSshAgent({ machine, environment, sshArguments, attach, observe }),
      });
      await line.online();
      return driverOver(line);
    },
    {
      startDesktop: async () => ({ ...second, close: async () => undefined }),
      handOver: (folder) => second.handOver(folder),
    },
  ),
  'root',
);
