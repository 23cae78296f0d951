import { registerHooks } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { entryIsLoaded } from './as-module.ts';

/** `node start-entry.ts <main program>`: loads the program with the fakes as its `electron`, and only then lets electron be ready. */

const FAKES = new URL('./as-module.ts', import.meta.url).href;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron'
      ? { url: FAKES, format: 'module-typescript', shortCircuit: true }
      : next(specifier, context),
});

const [entry = ''] = process.argv.slice(2);
await import(pathToFileURL(resolve(entry)).href);
entryIsLoaded();
