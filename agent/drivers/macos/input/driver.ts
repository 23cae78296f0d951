import type { Driver } from '../../driver.ts';
import type { InputDriver } from '../../input.ts';
import { withinDeadline } from '../../stopping.ts';
import { createWaitFor } from '../../wait-for.ts';
import type { Applications } from '../applications.ts';
import { openerOf } from '../opener.ts';
import { createActing, type MacInputNeeds } from './acting.ts';
import { askElements } from './ask-elements.ts';
import { createClipboard } from './clipboard.ts';
import { createElementActions } from './element-actions.ts';
import { createKeys } from './keys.ts';
import { createOpenUrl } from './open-url.ts';
import { createPointer } from './pointer.ts';
import { createWindowActions } from './windows.ts';

/** Pointer, keyboard and windows of this Mac. A process that posts events starts with the first input. */
export function createMacInput(
  needs: MacInputNeeds & { applications: Applications; describeScreen: Driver['describeScreen'] },
): InputDriver {
  const { run } = needs;
  const acting = createActing(needs);
  return {
    ...createElementActions(acting, needs),
    ...createPointer(acting),
    ...createKeys(acting, run),
    ...createWindowActions(acting, needs),
    ...createClipboard(run),
    waitFor: createWaitFor(needs.describeScreen),
    settle: acting.settle,
    async page({ windowId }, attempt) {
      const answer = await askElements(run, { verb: 'page', windowId, signal: withinDeadline(attempt) });
      return answer.ok ? answer.page : '';
    },
    async opener({ scheme }, attempt) {
      const opener = await openerOf(scheme, { ...needs, signal: withinDeadline(attempt) });
      return opener?.app ?? null;
    },
    openUrl: createOpenUrl(needs),
    close: () => acting.close(),
  };
}
