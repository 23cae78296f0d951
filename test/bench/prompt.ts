import { chromium } from 'playwright';
import { buildPageIfNeeded } from '../../renderer/build-if-needed.ts';
import { QUIET } from '../browser/chromium.ts';
import { typeCode } from '../browser/page-rig.ts';
import type { RunningDaemon } from '../e2e/daemon.ts';
import type { Report } from './report.ts';
import { shortened } from './short.ts';
import { median, quantile } from './statistics.ts';

const SUBMISSIONS = shortened(40);

/** From the submission to the prompt that is drawn in a real browser. */
export async function benchPrompt(daemon: RunningDaemon, signInCode: string, report: Report): Promise<void> {
  report.heading('From a submission to its prompt on the screen');
  buildPageIfNeeded();
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: QUIET });
  try {
    const page = await browser.newPage({ viewport: { width: 420, height: 600 } });
    await page.goto(daemon.base);
    await typeCode(page, signInCode);
    await page.getByText('No requests waiting').waitFor();
    const device = await daemon.register({ canCaptureScreen: true }, 'pat');
    const samples: number[] = [];
    for (let count = 0; count < SUBMISSIONS; count += 1) {
      const parameters = { maxWidth: 100 + count };
      const shown = page.getByRole('alertdialog');
      const drawn = shown.waitFor();
      const submittedAtMs = performance.now();
      const { body } = await daemon.submit(
        { targetDeviceId: device.id, actionType: 'TakeScreenshot', parameters },
        { userId: 'pat' },
      );
      await drawn;
      samples.push(performance.now() - submittedAtMs);
      await daemon.call(`/api/tee/actions/${body.actionId}/cancel`, { method: 'POST', userId: 'pat' });
      await shown.waitFor({ state: 'detached' });
    }
    report.figure({ name: 'p50', value: median(samples), unit: 'ms', goal: { atMost: 150 } });
    report.figure({ name: 'p99', value: quantile(samples, 0.99), unit: 'ms' });
  } finally {
    await browser.close();
  }
}
