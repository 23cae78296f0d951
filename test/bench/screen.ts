import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { createClient } from '../../src/client/handrail.ts';
import type { ActionSubmission } from '../../src/contract/action.ts';
import type { TakeScreenshotParameters } from '../../src/contract/parameters.ts';
import type { Rig } from '../desktop/rig.ts';
import type { RunningDaemon } from '../e2e/daemon.ts';
import type { LibrariesAlone } from './libraries-alone.ts';
import type { Report } from './report.ts';
import { showPicture } from './screenshot-picture.ts';
import { shortened } from './short.ts';
import { median, timed } from './statistics.ts';

/** Screenshots of a photographic picture, whole path and bytes fetched, beside the two libraries alone. */
export async function benchScreenshots(daemon: RunningDaemon, rig: Rig, report: Report): Promise<void> {
  report.heading('Screenshot, 1920 × 1080, photographic picture: from the call to the bytes, over HTTP and the agent');
  showPicture({ ...process.env, ...rig.env });
  const device = await daemon.register();
  const client = createClient({ userId: 'ann', baseUrl: daemon.base });
  const shot = async (parameters: TakeScreenshotParameters) => {
    const submission = { targetDeviceId: device.id, actionType: 'TakeScreenshot', parameters };
    const reply = await client.act(submission);
    const artifact = reply.ok ? reply.value.artifacts?.[0] : undefined;
    if (artifact === undefined) throw new Error(`no screenshot: ${JSON.stringify(reply)}`);
    const picture = await client.artifact(artifact.url);
    if (!picture.ok) throw new Error(`expected the bytes of the screenshot: ${picture.failure.detail}`);
    return artifact.sizeBytes;
  };
  let sizeBytes = 0;
  const [first = Number.NaN] = await timed({ calls: 1, warmUp: 0 }, async () => {
    sizeBytes = await shot({ format: 'png' });
  });
  report.figure({ name: 'size as PNG', value: sizeBytes / 1e6, unit: 'MB' });
  report.figure({ name: 'PNG, the first of this agent', value: first, unit: 'ms' });
  const png = median(await timed({ calls: shortened(45), warmUp: shortened(30) }, () => shot({ format: 'png' })));
  report.figure({ name: 'PNG, p50', value: png, unit: 'ms', goal: { atMost: 60 } });
  const jpeg = median(await timed({ calls: shortened(25), warmUp: shortened(5) }, () => shot({ format: 'jpeg' })));
  report.figure({ name: 'JPEG, p50', value: jpeg, unit: 'ms', goal: { atMost: 45 } });
  const { rawMs, portablePngMs, portableJpegMs } = librariesAlone(rig);
  report.figure({ name: 'raw screen.grab of nut.js alone, p50', value: rawMs, unit: 'ms' });
  report.figure({ name: 'screenshot-desktop alone, PNG, p50', value: portablePngMs, unit: 'ms' });
  report.figure({ name: 'screenshot-desktop alone, JPEG, p50', value: portableJpegMs, unit: 'ms' });
  report.figure({ name: 'screenshot-desktop per Handrail, PNG', value: portablePngMs / png, unit: '×' });
  report.figure({ name: 'screenshot-desktop per Handrail, JPEG', value: portableJpegMs / jpeg, unit: '×' });
}

/** DescribeScreen of two real apps, without OCR and with it. */
export async function benchDescriptions(daemon: RunningDaemon, rig: Rig, report: Report): Promise<void> {
  report.heading('DescribeScreen of mousepad and xterm');
  await rig.open('xterm', ['-title', 'bench']);
  await rig.open('mousepad');
  const device = await daemon.register();
  const describe = (parameters: ActionSubmission['parameters']) => () =>
    daemon.submit({ targetDeviceId: device.id, actionType: 'DescribeScreen', parameters });
  const plain = median(await timed({ calls: shortened(20), warmUp: shortened(5) }, describe({})));
  report.figure({ name: 'apps, windows and labels, p50', value: plain, unit: 'ms', goal: { atMost: 100 } });
  const text = median(await timed({ calls: shortened(20), warmUp: shortened(5) }, describe({ format: 'text' })));
  report.figure({ name: 'the same as text for a model, p50', value: text, unit: 'ms' });
  report.figure({ name: 'text takes longer by', value: text - plain, unit: 'ms', goal: { atMost: 5 } });
  const contents = median(await timed({ calls: 3, warmUp: 1 }, describe({ contents: true })));
  report.figure({ name: 'with contents, OCR of xterm included, p50', value: contents, unit: 'ms' });
}

function librariesAlone(rig: Rig): LibrariesAlone {
  const script = fileURLToPath(new URL('libraries-alone.ts', import.meta.url));
  return JSON.parse(
    execFileSync(process.execPath, [script], { env: { ...process.env, ...rig.env }, encoding: 'utf8' }),
  );
}
