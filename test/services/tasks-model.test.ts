import { test } from 'vitest';
import { playTasks } from './tasks-model.ts';

test(
  'whatever happens, a task ends, in order, and nothing is done twice that may not be: a sample',
  () => playTasks(200),
  120_000,
);
