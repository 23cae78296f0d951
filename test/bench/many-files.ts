import { closeSync, mkdirSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from '../../src/client/handrail.ts';
import { type FilesRig, startFilesRig } from '../e2e/files-rig.ts';
import { peakMemory } from '../e2e/reading-load.ts';
import type { Report } from './report.ts';
import { shortened } from './short.ts';
import { median, timed } from './statistics.ts';

const FILES = shortened(1_000_000);
const CALLS = 20;
/** A folder of some thousand files takes 160 MB at most; a large folder must not take more. */
const MOST_MEGABYTES = 200;
/** Limits of a call in entries: the default and the largest. */
const LIMITS = [500, 5_000];

/** Lists a folder of a million files: the answer holds the first ones and says that there are more. */
export async function benchManyFiles(report: Report, files = FILES): Promise<void> {
  report.heading(`ListFiles of a folder of ${files.toLocaleString('en')} files`);
  const rig = await startFilesRig({ under: '/var/tmp', environment: { HANDRAIL_RATE_LIMITS: 'off' } });
  const folder = rig.at('work/many');
  try {
    await rig.allow('~/work');
    makeFiles(folder, files);
    for (const limit of LIMITS) await bench(rig, report, limit);
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await rig.stop();
  }
}

function makeFiles(folder: string, count: number): void {
  mkdirSync(folder);
  for (let index = 0; index < count; index += 1) closeSync(openSync(join(folder, `file-${index}.txt`), 'w'));
}

async function bench(rig: FilesRig, report: Report, limit: number): Promise<void> {
  const parameters = { path: '~/work/many', limit };
  const startedAtMs = performance.now();
  const { body: first } = await rig.submit('ListFiles', parameters);
  const firstMs = performance.now() - startedAtMs;
  const { entries, complete } = Object(first.data);
  if (first.status !== 'success' || entries?.length !== limit || complete !== false)
    throw new Error(`ListFiles of ${limit}: ${JSON.stringify(first).slice(0, 1_000)}`);
  const client = createClient({ userId: 'ann', baseUrl: rig.daemon.base });
  const body = { targetDeviceId: rig.targetDeviceId, actionType: 'ListFiles', parameters, timeoutMs: 30_000 };
  const samples: number[] = [];
  const peak = await peakMemory(await rig.daemon.agentPid(), async () => {
    samples.push(...(await timed({ calls: CALLS, warmUp: 0 }, () => client.act(body))));
  });
  const goal = { atMost: 500 };
  report.figure({ name: `first ${limit} entries, first call`, value: firstMs, unit: 'ms', goal });
  report.figure({ name: `first ${limit} entries, p50 of ${CALLS}`, value: median(samples), unit: 'ms', goal });
  report.figure({
    name: `first ${limit} entries: resident memory of the agent, peak`,
    value: peak.megabytes,
    unit: 'MB',
    goal: { atMost: MOST_MEGABYTES },
  });
}
