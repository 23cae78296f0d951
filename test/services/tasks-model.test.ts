import { test } from 'vitest';
import { playTasks } from './tasks-model.ts';

/** Every run draws new seeds, so what is played adds up over the runs. */
test(
  'whatever happens, a task ends, in order, and nothing is done twice that may not be: 250 plays',
  () => playTasks(250),
  600_000,
);
