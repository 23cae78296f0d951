import type { Driver } from '../../agent/drivers/driver.ts';
import type { Attempt, Outcome } from '../../agent/drivers/outcome.ts';
import { PERFORMERS } from '../../agent/performers.ts';
import { unhurried } from './unhurried.ts';

/** Has an action done, as the runner does, by a driver that is loaded. */
export async function performBy<Data>(
  driver: Driver,
  actionType: string,
  parameters: unknown,
  more: Partial<Attempt> = {},
): Promise<Outcome<Data>> {
  const performer = PERFORMERS.get(actionType);
  if (performer === undefined) throw new Error(`no performer for ${actionType}`);
  return (await performer({ parameters, attempt: unhurried(more), driver: async () => driver })) as Outcome<Data>;
}
