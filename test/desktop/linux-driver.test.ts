import { createLinuxDriver } from '../../agent/drivers/linux/driver.ts';
import { describeDriver } from '../agent/driver-contract.ts';
import { linuxHarness } from './linux-harness.ts';

describeDriver('Linux', linuxHarness(createLinuxDriver));
