import type { ComponentType, ReactNode } from 'react';
import { useObservable } from './hooks.ts';
import { createObservable, type Observable } from './observable.ts';

/** A component whose script is loaded when it is shown first. */
export type LaterScript<Props> = Observable<{ Content: ComponentType<Props> } | undefined> & {
  /** Begins to load it, unless that has begun. */
  preload(): void;
};

type Options<Props> = {
  load: () => Promise<ComponentType<Props>>;
  /** Shown instead of the component when its script could not be loaded. */
  missing: () => ReactNode;
};

export function laterScript<Props>({ load, missing }: Options<Props>): LaterScript<Props> {
  const loaded = createObservable<{ Content: ComponentType<Props> } | undefined>(undefined);
  let isAsked = false;
  return {
    get: loaded.get,
    subscribe: loaded.subscribe,
    preload() {
      if (isAsked) return;
      isAsked = true;
      load().then(
        (Content) => loaded.set({ Content }),
        () => loaded.set({ Content: missing }),
      );
    },
  };
}

type LaterProps<Props> = { script: LaterScript<Props>; props: Props; loading: ReactNode };

/**
 * Shows a component as soon as its script is there. A `lazy` component of React waits up to 300 ms longer, after its
 * placeholder was shown.
 */
export function Later<Props extends object>({ script, props, loading }: LaterProps<Props>) {
  const loaded = useObservable(script);
  if (loaded !== undefined) return <loaded.Content {...props} />;
  script.preload();
  return loading;
}

/** Shown instead of a page whose script could not be loaded. */
export function PageMissing() {
  return (
    <div className="empty">
      <h1>This page did not load</h1>
      <p>Handrail does not answer, or was updated since you opened the dashboard.</p>
      <p>
        <button type="button" className="primary" onClick={() => window.location.reload()}>
          Reload the dashboard
        </button>
      </p>
    </div>
  );
}
