import type { PerformParams } from '../../contract/link.ts';
import type { DashboardProgram } from '../../contract/own-window.ts';
import type { Control, ResolvedApp, ResolvedWindow } from '../../contract/screen.ts';
import type { Target } from '../../contract/targets.ts';
import { appOfWindow, isAppOf } from '../../domain/dashboard-apps.ts';

export type DashboardPrograms = ReturnType<typeof createDashboardPrograms>;

/** A script may call with the key of a session from one process after the other. */
const MOST_PROGRAMS = 1_000;

type Observer = (opened: DashboardProgram) => void;

/**
 * The programs that hold the dashboards of the live sessions. A browser gives its extensions and developer tools what a page of it has,
 * so no window of such a program may be a target.
 */
export function createDashboardPrograms() {
  const bySession = new Map<string, DashboardProgram[]>();
  /** Processes that were seen to show the dashboard while the program of a session was not known. */
  const seen = new Set<number>();
  let opened: Observer = () => undefined;

  const all = (): DashboardProgram[] => [...bySession.values()].flat();

  function holds(pid: number | null, app: ResolvedApp): boolean {
    if (pid !== null && seen.has(pid)) return true;
    return all().some(
      ({ pids, names, isByName }) => (pid !== null && pids.includes(pid)) || (isByName === true && isAppOf(app, names)),
    );
  }

  /** For an app by its name: the person may have given access to it. */
  function isOpenIn(app: ResolvedApp): boolean {
    return all().some(({ names, isOwnWindow }) => isOwnWindow !== true && isAppOf(app, names));
  }

  function learn(pid: number | null): void {
    const isUnknown = [...bySession.values()].some((programs) => programs.length === 0);
    if (pid !== null && isUnknown) seen.add(pid);
  }

  function markedControl(control: Control): Control {
    const { app, pid, isOwn } = control;
    if (isOwn) learn(pid);
    return holds(pid, app) ? { ...control, app: withDashboard(app) } : control; // guard A20-1
  }

  function markedWindow(window: ResolvedWindow): ResolvedWindow {
    const app = appOfWindow(window);
    return holds(window.pid, app) ? { ...window, identity: withDashboard(app) } : window; // guard A20-2
  }

  /** The agent does not know the sessions, so the daemon marks the targets, each time that it judges them. */
  function marked(target: Target): Target {
    if ('control' in target) return { ...target, control: markedControl(target.control) };
    if (target.kind === 'window') return { ...target, window: markedWindow(target.window) };
    return target.kind === 'app' && isOpenIn(target.app) ? { ...target, app: withDashboard(target.app) } : target;
  }

  return {
    /** Lets one other part of the services be told of each program in which a session begins. */
    observedBy(observer: Observer): void {
      opened = observer;
    },
    began(sessionId: string): void {
      bySession.set(sessionId, []);
    },
    /** A live session is used by this program. The programs that used it last are kept. */
    shownIn(sessionId: string, program: DashboardProgram): void {
      const programs = bySession.get(sessionId);
      if (programs === undefined) return;
      const known = programs.find(({ pids }) => program.pids.every((pid) => pids.includes(pid)));
      const others = programs.filter((each) => each !== known);
      bySession.set(sessionId, [...others, known ?? program].slice(-MOST_PROGRAMS));
      if (known === undefined) opened(program);
    },
    ended(sessionId: string): void {
      bySession.delete(sessionId);
      if (bySession.size === 0) seen.clear();
    },
    marked,
    /** The programs of all dashboards that are open, as the agent can tell them; none while no session lives. */
    shown(): PerformParams['dashboards'] {
      const programs = all();
      const apps = programs.flatMap(({ names, isByName }) => (isByName === true ? names : []));
      const pids = [...seen, ...programs.flatMap(({ pids }) => pids)];
      return pids.length + apps.length === 0 ? undefined : { pids: [...new Set(pids)], apps: [...new Set(apps)] };
    },
  };
}

function withDashboard(app: ResolvedApp): ResolvedApp {
  return { ...app, holdsDashboard: true };
}
