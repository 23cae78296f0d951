import type { DashboardModel } from '../dashboard-model.ts';
import { useLoaded } from '../use-loaded.ts';
import { VisibleText } from '../VisibleText.tsx';

/** Settings of the daemon that come from its environment, and how long it keeps things. They are shown, not changed. */
export function DaemonSettings({ model }: { model: DashboardModel }) {
  const { value } = useLoaded(model, model.client.about);
  if (value === undefined) return null;
  return (
    <section className="section" aria-labelledby="daemon-title">
      <h2 id="daemon-title">Daemon</h2>
      <p className="hint">
        Handrail {value.version}. To change a setting, set its variable and start Handrail again:{' '}
        <code>HANDRAIL_PORT=3002 npm start</code>
      </p>
      <dl className="facts daemon-facts">
        {value.variables.map(({ variable, meaning, value: current }) => (
          <div key={variable}>
            <dt>
              <code>{variable}</code>
              <span className="hint">{meaning}</span>
            </dt>
            <dd>
              <VisibleText>{current}</VisibleText>
            </dd>
          </div>
        ))}
      </dl>
      <h3>How long data is kept</h3>
      <dl className="facts daemon-facts">
        {value.retention.map(({ contents, kept }) => (
          <div key={contents}>
            <dt>{contents}</dt>
            <dd>{kept}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
