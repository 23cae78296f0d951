import type { Handler } from '../call.ts';
import { DESKTOP_COMMANDS } from './desktop.ts';
import { DEVELOPMENT_COMMANDS } from './development.ts';
import { FILE_COMMANDS } from './files.ts';
import { NETWORK_COMMANDS } from './network.ts';
import { PACKAGE_COMMANDS } from './packages.ts';
import { READING_COMMANDS } from './reading.ts';
import { SECRET_COMMANDS } from './secrets.ts';
import { SYSTEM_COMMANDS } from './system.ts';

/** Every program that the analysis knows, by name. A map has no members that a script could name, such as `constructor`. */
export const COMMANDS: ReadonlyMap<string, Handler> = new Map(
  Object.entries({
    ...READING_COMMANDS,
    ...FILE_COMMANDS,
    ...NETWORK_COMMANDS,
    ...PACKAGE_COMMANDS,
    ...SYSTEM_COMMANDS,
    ...SECRET_COMMANDS,
    ...DEVELOPMENT_COMMANDS,
    ...DESKTOP_COMMANDS,
  }),
);
