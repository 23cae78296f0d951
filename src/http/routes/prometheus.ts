import { Counter, Gauge, Registry } from 'prom-client';
import { Type } from 'typebox';
import type { Services } from '../../services/offered-services.ts';
import type { App } from '../app.ts';
import { AS_ANYBODY } from '../openapi.ts';
import { responses } from '../responses.ts';

const HOUR_MS = 3_600_000;

type Measured = Pick<Services, 'guardian' | 'health'>;

/** The same numbers for a Prometheus server. Labels are words of ours: no user, device or text ever becomes one. */
export function addPrometheusRoutes(app: App, services: Measured): void {
  const registry = createRegistry(services);
  app.get('/metrics', { schema: SCHEMA }, async (_request, reply) =>
    reply.type(registry.contentType).send(await registry.metrics()),
  );
}

const SCHEMA = {
  tags: ['Daemon'],
  security: AS_ANYBODY,
  operationId: 'getPrometheusMetrics',
  summary: 'Counters and gauges in the Prometheus text format',
  response: responses({ 200: { content: { 'text/plain': { schema: Type.String() } } } }, []),
};

function createRegistry({ guardian, health }: Measured): Registry {
  const registers = [new Registry()];
  addTotals(guardian, registers);
  new Gauge({
    name: 'handrail_guardian_metric',
    help: 'The 23 metrics over the last hour, in their own units; absent where there is too little data',
    labelNames: ['type'],
    registers,
    collect() {
      this.reset();
      for (const { type, value } of guardian.metrics({ lengthMs: HOUR_MS }).items) {
        if (value !== null) this.set({ type }, value);
      }
    },
  });
  addStanding(health, registers);
  return registers[0] ?? new Registry();
}

function addTotals(guardian: Measured['guardian'], registers: Registry[]): void {
  const totals = (read: () => Record<string, number>, names: { name: string; help: string; label: string }) =>
    new Counter({
      name: names.name,
      help: names.help,
      labelNames: [names.label],
      registers,
      collect() {
        this.reset();
        for (const [of, times] of Object.entries(read())) this.inc({ [names.label]: of }, times);
      },
    });
  totals(() => guardian.totals().events, {
    name: 'handrail_events_total',
    help: 'How often each counted event has happened',
    label: 'event',
  });
  totals(() => guardian.totals().requestsByType, {
    name: 'handrail_action_requests_total',
    help: 'Requested actions by type',
    label: 'action_type',
  });
}

function addStanding(health: Measured['health'], registers: Registry[]): void {
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
  gauge('handrail_uptime_seconds', 'How long the daemon has been up', () => health().uptimeMs / 1000);
  gauge('handrail_agent_online', '1 while the device agent is online', () =>
    Number(health().checks.agent === 'online'),
  );
  gauge('handrail_store_writable', '1 while the store takes changes', () => Number(health().checks.store === 'ok'));
}
