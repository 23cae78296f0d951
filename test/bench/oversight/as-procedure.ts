import { idByName } from '../../../src/contract/control-name.ts';
import type { Control } from '../../../src/contract/screen.ts';
import type { Target } from '../../../src/contract/targets.ts';
import { siteOf } from '../../../src/contract/web-address.ts';
import type { Assessment } from '../../../src/domain/catalogue/definition.ts';
import { CATALOGUE } from '../../../src/domain/catalogue.ts';
import { asksAlways, stepFlaw } from '../../../src/domain/procedures/cover.ts';
import { targetByName } from '../../../src/domain/procedures/words.ts';
import { foundAt } from '../../domain/with-access.ts';
import { controlOf, withPlace } from './control.ts';
import type { OversightRecord } from './data.ts';

/** `named`: whether the procedure names every step that asks in each run, as a person would who wants it to run unasked. */
type Approval = { named: boolean };

/**
 * Whether the approval of a procedure with this action as a step would let the step through. Undefined where no procedure can have it: its
 * control has no name. The rules themselves judge it, first by its names and then as it is.
 */
export function isLetThroughInProcedure(record: OversightRecord, { named }: Approval): boolean | undefined {
  const definition = CATALOGUE.get(record.actionType);
  const control = controlOf(record);
  const name = nameOf(control);
  const isOnControl = definition?.isInput === true && record.actionType !== 'PressKeys';
  if (definition === undefined || (isOnControl && name === undefined)) return undefined;
  const parameters = isOnControl && name ? { ...withoutPlace(record), elementId: idByName(name) } : withPlace(record);
  const assessed = (targets: (references: readonly Parameters<typeof foundAt>[0][]) => Target[]) => {
    const checked = definition.check(parameters);
    const answer = checked.ok ? checked.assess({ targets: targets([...checked.references]) }) : undefined;
    return answer?.ok === true ? answer.assessment : undefined;
  };
  const byName = assessed(() => (isOnControl && name ? [targetByName(name, control.app)] : []));
  const now = assessed((references) => references.flatMap((each) => foundAt(each, control) ?? []));
  return byName && now && !isFlawed(byName, now, named);
}

function isFlawed(byName: Assessment, now: Assessment, named: boolean): boolean {
  const critical = named && asksAlways(byName) ? ['step'] : [];
  const of = { name: 'task', digest: '', untilMs: 1, critical, most: {}, folders: {} };
  const approved = byName.risk.level;
  return (
    now.forbidden !== undefined ||
    stepFlaw(of, { id: 'step', approved }, { assessment: now, targets: [], nowMs: 0 }) !== undefined
  );
}

function nameOf({ app, role, name, url }: Control) {
  const site = url === undefined ? undefined : siteOf(url);
  if (name.trim() === '' || role === 'window') return undefined;
  return { app: app.appName, site, role, name };
}

function withoutPlace(record: OversightRecord): Record<string, unknown> {
  const { x: _x, y: _y, frameId: _frame, elementId: _element, ...parameters } = withPlace(record);
  return parameters;
}
