import { join } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The files that take longest, longest first, most of them because they wait. They start first, so that no worker ends long after the
 * others. Without this Vitest starts large files first where it has no times of an earlier run, and some of these are small.
 */
export const LONGEST_FILES: readonly string[] = [
  'services/tasks-model',
  'shell/start-stories',
  'services/rail-model',
  'agent-host/process',
  'e2e/storms/storage',
  'e2e/storage',
  'e2e/attacks',
  'e2e/storms/link',
  'e2e/storms/stopped',
  'e2e/memory-and-disk',
  'e2e/file-undo',
  'e2e/ordinary-user',
  'e2e/life',
  'e2e/tasks',
  'e2e/rail',
  'desktop/describe-screen',
  'desktop/quit-app',
  'desktop/linux-driver',
  'e2e/files',
  'agent/scripts/ending',
  'desktop/x11',
  'browser/charts',
  'browser/activity-scroll',
  'browser/real-desktop',
  'browser/attacks',
  'browser/demo',
  'browser/prompt',
  'browser/file-undo',
  'browser/activity',
  'browser/daemon',
  'browser/looks',
].map((name) => `test/${name}.test.ts`);

const root = join(import.meta.dirname, '../..');

/** Starts the longest files first, and the others in the order of Vitest. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const paths = LONGEST_FILES.map((file) => join(root, file));
    const usual = await super.sort(files);
    const longest = paths.flatMap((path) => usual.filter(({ moduleId }) => moduleId === path));
    return [...longest, ...usual.filter((file) => !longest.includes(file))];
  }
}
