import { test } from 'vitest';
import { playTasks } from '../services/tasks-model.ts';

/** The check before every commit plays a sample of the same. */
test(
  'whatever happens, a task ends, in order, and nothing is done twice that may not be: thousands of runs',
  () => playTasks(2_000),
  1_200_000,
);
