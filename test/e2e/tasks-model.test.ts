import { test } from 'vitest';
import { playTasks } from '../services/tasks-model.ts';

/** The check before every commit plays fewer. Every run draws new seeds, so what is played adds up over the runs. */
test(
  'whatever happens, a task ends, in order, and nothing is done twice that may not be: 500 runs',
  () => playTasks(500),
  1_200_000,
);
