import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { FailureCode, SideEffect } from '../../../src/contract/action.ts';
import { closed, oneOf } from '../../../src/contract/literals.ts';

/** One moment of an action, as a test wants it. The delay comes first. */
const Moment = Type.Object(
  {
    /** Ends early when the attempt is stopped. */
    delayMs: Type.Optional(Type.Integer({ minimum: 0 })),
    /**
     * `throw`: the driver is broken. `throw_outside`: it throws where nobody can catch it. `hang`: it never ends and hears
     * no signal. `crash`: the process is killed.
     */
    mishap: Type.Optional(oneOf(['throw', 'throw_outside', 'hang', 'crash'])),
    failure: Type.Optional(Type.Object({ code: FailureCode, message: Type.String(), sideEffect: SideEffect }, closed)),
  },
  closed,
);
export type Moment = Static<typeof Moment>;

const Play = Type.Object({ beforeEffect: Type.Optional(Moment), afterEffect: Type.Optional(Moment) }, closed);

/** How the fake driver is to behave; only tests have wishes. */
export const FakeScenario = Type.Object(
  {
    screen: Type.Optional(oneOf(['present', 'none'])),
    /**
     * A file that gets one line of JSON for each real event: `launch`, `activate`, `quit` (an app was asked to close),
     * `capture`, `describe`, `input` (with the part that the desktop received).
     */
    ledgerPath: Type.Optional(Type.String()),
    /** A file with the permissions as JSON, read at every look; without it all are granted. */
    permissionsPath: Type.Optional(Type.String()),
    /** The number of windows that are open from the start beside the usual ones, for a large description. */
    moreWindows: Type.Optional(Type.Integer({ minimum: 0 })),
    openApp: Type.Optional(Play),
    quitApp: Type.Optional(Play),
    takeScreenshot: Type.Optional(Play),
    describeScreen: Type.Optional(Play),
  },
  closed,
);
export type FakeScenario = Static<typeof FakeScenario>;

/** Reads a scenario from JSON; none is an obedient desktop. Throws on anything that is no scenario. */
export function readScenario(json: string | undefined): FakeScenario {
  if (json === undefined) return {};
  const scenario: unknown = JSON.parse(json);
  const validator = Compile(FakeScenario);
  if (validator.Check(scenario)) return scenario;
  const [error] = validator.Errors(scenario);
  throw new Error(`Expected a scenario of the fake driver, got one with ${error?.instancePath} ${error?.message}.`);
}
