import { type Cost, fillForm, tidyFolder, writeLetter } from '../e2e/jobs.ts';
import type { Report } from './report.ts';

/** Three everyday jobs by MCP: what each costs a model and a person. The person here answers as soon as a prompt may be answered. */
export async function benchJobs(on: Parameters<typeof fillForm>[0], report: Report): Promise<void> {
  report.heading('Jobs: by MCP, with a person who allows at once');
  const jobs: readonly (readonly [string, () => Promise<{ cost: Cost }>, { calls: number; prompts: number }])[] = [
    ['a form in Chromium', () => fillForm(on), { calls: 18, prompts: 2 }],
    ['a letter in an editor', () => writeLetter(on, 'Dear Ben,\nsee you on Tuesday.\nAnn'), { calls: 12, prompts: 1 }],
    ['a folder to tidy', () => tidyFolder(on), { calls: 4, prompts: 2 }],
  ];
  for (const [name, work, most] of jobs) {
    const { calls, prompts, errors, tokens, seconds } = (await work()).cost;
    report.figure({ name: `${name}: calls`, value: calls, unit: '', goal: { atMost: most.calls } });
    report.figure({ name: `${name}: prompts`, value: prompts.length, unit: '', goal: { atMost: most.prompts } });
    report.figure({ name: `${name}: errors`, value: errors.length, unit: '', goal: { atMost: 0 } });
    report.figure({ name: `${name}: tokens of calls and answers`, value: tokens, unit: '' });
    report.figure({ name: `${name}: time`, value: seconds, unit: 's' });
  }
}
