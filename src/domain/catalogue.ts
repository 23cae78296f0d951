import type { ActionDefinition } from './catalogue/definition.ts';
import { describeScreen } from './catalogue/describe-screen.ts';
import { openApp } from './catalogue/open-app.ts';
import { quitApp } from './catalogue/quit-app.ts';
import { takeScreenshot } from './catalogue/take-screenshot.ts';
import { wait } from './catalogue/wait.ts';

/** Every action type there is, by name. Each module is the one place that describes its type. */
export const CATALOGUE: ReadonlyMap<string, ActionDefinition> = new Map(
  [describeScreen, openApp, quitApp, takeScreenshot, wait].map((definition) => [definition.name, definition]),
);
