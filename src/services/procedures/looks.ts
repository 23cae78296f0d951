import { isSameApp } from '../../contract/app-name.ts';
import { lazyCheck } from '../../contract/lazy-check.ts';
import { EVIDENCE_MANNER, type PerformParams } from '../../contract/link.ts';
import { LOCAL } from '../../contract/machine-rules.ts';
import { ScreenDescription, ScreenshotData } from '../../contract/screen.ts';
import type { Target } from '../../contract/targets.ts';
import { describeScreen, takeScreenshot } from '../../domain/catalogue/screen.ts';
import type { Received } from '../agent/port.ts';
import type { MachineAgent, MachineAgents } from '../machines/agents.ts';
import { isFound } from '../targets/targets.ts';

const PATIENCE_MS = 10_000;

export type LookParts = {
  agents: Pick<MachineAgents, 'of'>;
  marked(target: Target): Target;
  dashboards(): PerformParams['dashboards'];
};

/** `windowId`: of the window that the picture is of; the picture of a display has none. */
export type PictureOfApp = { region: ScreenshotData['bounds']; windowId: string | undefined; taken: Received };
export type LookAtApp = { screen: ScreenDescription; picture?: PictureOfApp };

/**
 * The screen in words, and a picture of the front window of an app, or of the main display where it has none. The look is the person's: no
 * requester gets it. A dashboard is in no picture.
 */
export async function lookAtApp(
  parts: LookParts,
  { deviceId, app }: { deviceId: string; app: string | undefined },
): Promise<LookAtApp | undefined> {
  const agent = parts.agents.of(deviceId);
  const described = await agent.ask({
    type: describeScreen.name,
    parameters: { contents: true },
    patienceMs: PATIENCE_MS,
  });
  if (described?.ok !== true || !isDescription(described.data)) return undefined;
  const screen = described.data;
  const [front] = screen.windows
    .filter((window) => window.onScreen && app !== undefined && isSameApp(window.app, app))
    .toSorted((one, other) => one.zIndex - other.zIndex);
  const picture = await pictureOf(agent, front?.id, parts);
  return { screen, ...(picture !== undefined && { picture }) };
}

async function pictureOf(
  agent: MachineAgent,
  windowId: string | undefined,
  { marked, dashboards }: LookParts,
): Promise<PictureOfApp | undefined> {
  const window = windowId === undefined ? undefined : await windowNow(agent, windowId);
  const isDashboard = window !== undefined && 'window' in window && holdsDashboard(marked(window));
  if (isDashboard || (windowId !== undefined && window === undefined)) return undefined;
  // The programs of dashboards are known by their processes on this machine.
  const hidden = window === undefined && agent.machine === LOCAL ? dashboards() : undefined;
  const outcome = await agent.ask({
    type: takeScreenshot.name,
    parameters: { ...EVIDENCE_MANNER, ...(windowId !== undefined && { windowId }) },
    targets: window && [window],
    dashboards: hidden,
    patienceMs: PATIENCE_MS,
  });
  if (outcome?.ok !== true || !isPicture(outcome.data)) return undefined;
  const [taken] = outcome.attachments;
  return taken && { region: outcome.data.bounds, windowId, taken };
}

async function windowNow({ targets }: MachineAgent, windowId: string): Promise<Target | undefined> {
  const [found] = (await targets.sight([{ kind: 'window', windowId }])).values();
  return found !== undefined && isFound(found) ? found : undefined;
}

function holdsDashboard(target: Target): boolean {
  return target.kind === 'window' && target.window.identity?.holdsDashboard === true;
}

const isDescription = lazyCheck(ScreenDescription);
const isPicture = lazyCheck(ScreenshotData);
