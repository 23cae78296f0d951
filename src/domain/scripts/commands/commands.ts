import { type Call, type Handler, type Handlers, readArguments } from '../call.ts';
import { DEVELOPMENT_COMMANDS } from './development.ts';
import { FACT_ROWS } from './fact-rows.ts';
import { FILE_COMMANDS } from './files.ts';
import { NETWORK_COMMANDS } from './network.ts';
import { PACKAGE_COMMANDS } from './packages.ts';
import { READING_COMMANDS } from './reading.ts';
import { forAll, handlersOf } from './rows.ts';
import { SYSTEM_ROWS } from './system-rows.ts';

/** Every program that the analysis knows, by name. A map has no members that a script could name, such as `constructor`. */
export const COMMANDS: ReadonlyMap<string, Handler> = new Map(
  Object.entries<Handler>({
    ...handlersOf([...SYSTEM_ROWS, ...FACT_ROWS]),
    ...READING_COMMANDS,
    ...FILE_COMMANDS,
    ...NETWORK_COMMANDS,
    ...PACKAGE_COMMANDS,
    ...DEVELOPMENT_COMMANDS,
    ...forAll('at batch', startsLater),
    'flatpak-spawn': (call) => call.run(readArguments(call.args).operands),
  } satisfies Handlers),
);

function startsLater(call: Call) {
  call.note('persists', `starts a program later (${[call.name, ...call.args].join(' ').slice(0, 90)})`);
  if (call.command.input !== '') call.shell(call.command.input);
}
