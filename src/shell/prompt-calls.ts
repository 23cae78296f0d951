import type { PageCrashes } from './own-page.ts';

/** How long the panel stays after the last prompt has ended, in milliseconds: long enough to read the outcome. */
export const PANEL_STAYS_MS = 1_500;

type Options = {
  crashes: PageCrashes;
  /** `call` shows the panel with a page, a new one where the former has ended. */
  panel: { call(): void; hide(): void };
  /** `call` shows one notification in the place of the one before. `failed` is called when the system shows none. */
  notices: { call(waiting: number, failed: () => void): void; close(): void };
  /** Shows the requests in the dashboard, which has a page of its own. */
  showDashboard(): void;
};

type Prompts = Parameters<ReturnType<typeof createAttention>>[0];

/**
 * Brings a prompt forward when the daemon calls the person, and puts the panel away when nothing waits. A panel whose page crashes is shown
 * again with a new page. When the page crashes too often, the person gets a notification instead, and the dashboard where there are none.
 */
export function createPromptCalls({ crashes, panel, notices, showDashboard }: Options) {
  const attention = createAttention();
  let waiting = 0;
  let hiding: NodeJS.Timeout | undefined;

  function call(): void {
    const isGivenUp = crashes.isGivenUp();
    if (!isGivenUp) panel.call();
    notices.call(waiting, () => {
      if (isGivenUp) showDashboard();
    });
  }

  return {
    update(prompts: Prompts): void {
      waiting = prompts.length;
      const change = attention(prompts);
      if (change === 'nothing') return;
      clearTimeout(hiding);
      if (change === 'call') {
        call();
        return;
      }
      notices.close();
      hiding = setTimeout(panel.hide, PANEL_STAYS_MS);
      hiding.unref();
    },
    /** The panel's page has ended. `wasShown` is false when the person had closed the panel: then it stays closed. */
    panelCrashed({ wasShown }: { wasShown: boolean }): void {
      const next = crashes.crashed();
      if (!wasShown || waiting === 0) return;
      if (next === 'reload') panel.call();
      else call();
    },
  };
}

/** `call`: bring a prompt to the person. `none waits`: the last prompt has ended. */
type AttentionChange = 'call' | 'none waits' | 'nothing';

type Prompt = { id: string; isCalled: boolean };

/**
 * Says when to bring the prompt forward: once for each prompt that the daemon called the person for. The daemon limits how often
 * that is, so a flood of requests does not flood the screen.
 */
export function createAttention(): (prompts: readonly Prompt[]) => AttentionChange {
  let called = new Set<string>();
  let didWait = false;
  return (prompts) => {
    const before = called;
    called = new Set(prompts.filter(({ isCalled }) => isCalled).map(({ id }) => id));
    const waits = prompts.length > 0;
    const isOver = didWait && !waits;
    didWait = waits;
    if ([...called].some((id) => !before.has(id))) return 'call';
    return isOver ? 'none waits' : 'nothing';
  };
}

type Area = { x: number; y: number; width: number; height: number };

export const PANEL_SIZE = { width: 420, height: 600 };

const MARGIN = 12;

/** Where the panel stands: at the top right of the display that the person uses, smaller where that has less room. */
export function panelPlace(workArea: Area): Area {
  const width = Math.min(PANEL_SIZE.width, workArea.width - 2 * MARGIN);
  const height = Math.min(PANEL_SIZE.height, workArea.height - 2 * MARGIN);
  return { x: workArea.x + workArea.width - width - MARGIN, y: workArea.y + MARGIN, width, height };
}

type Window = { isMinimized(): boolean; restore(): void; show(): void; focus(): void };

/** Shows a window in front of the others with the keyboard, also when it was minimized. */
export function bringForward(window: Window): void {
  if (window.isMinimized()) window.restore();
  window.show();
  window.focus();
}
