import { isPainted } from './prompt-hands.ts';
import '../bench/end-in-words.ts';
import { chromium, type Page } from 'playwright';
import { buildPageIfNeeded } from '../../renderer/build-if-needed.ts';
import { median } from '../bench/statistics.ts';
import { startFilesRig } from '../e2e/files-rig.ts';
import { HEADLESS_SHELL, QUIET } from './chromium.ts';
import { partsOutside, wordsSeen } from './first-layer.ts';
import { askFor, type Kind } from './prompt-kinds.ts';
import { requesterOf, VARIANTS, variantsOf } from './prompt-variants.ts';

/**
 * `npm run bench:words`: how many words a person has before them in the first layer of a prompt. Ten prompts of each kind are asked of a
 * real daemon and shown in real Chromium, in the window and in the panel; of the two counts the larger one is kept. After `--`, names of kinds show only these.
 */
const MOST_WORDS = 90;
const VIEWPORTS = [
  { width: 1280, height: 800 },
  { width: 420, height: 700 },
] as const;

type Seen = { words: number; problems: string[] };

buildPageIfNeeded();
const rig = await startFilesRig({ environment: { HANDRAIL_RATE_LIMITS: 'off' } });
const browser = await chromium.launch({ executablePath: HEADLESS_SHELL, args: QUIET });
const found = new Map<string, Seen[]>();
const wanted = process.argv.slice(2);
try {
  const page = await signedIn(await browser.newPage({ reducedMotion: 'reduce' }));
  for (let index = 0; index < VARIANTS; index += 1)
    for (const kind of variantsOf(index).filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
      const seen = await look(page, kind, index);
      console.log(`${kind.name}, ${index + 1} of ${VARIANTS}: ${seen.words} words`);
      found.set(kind.name, [...(found.get(kind.name) ?? []), seen]);
    }
} finally {
  await browser.close();
  await rig.stop();
}
const problems = [...found.values()].flat().flatMap((seen) => seen.problems);
printTable();
for (const problem of problems) console.log(problem);
process.exitCode = problems.length === 0 ? 0 : 1;

async function signedIn(page: Page): Promise<Page> {
  await page.goto(rig.daemon.base);
  await page.getByLabel('One-use code').fill(await rig.newCode());
  await page.keyboard.press('Enter');
  await page.getByText('No requests waiting').waitFor();
  return page;
}

async function look(page: Page, kind: Kind, index: number): Promise<Seen> {
  const userId = requesterOf(kind.name, index);
  await askFor(kind, rig, userId);
  await page.getByRole('alertdialog').waitFor();
  // The program is looked up meanwhile.
  await page.locator('.who .program').filter({ hasNotText: 'unknown' }).waitFor();
  const seen: Seen = { words: 0, problems: [] };
  for (const viewport of VIEWPORTS) {
    await page.setViewportSize(viewport);
    await isPainted(page);
    const words = await wordsSeen(page);
    const outside = await partsOutside(page);
    const what = `${kind.name} ${index} at ${viewport.width} × ${viewport.height}`;
    if (words > MOST_WORDS) seen.problems.push(`${what}: ${words} words, more than ${MOST_WORDS}`);
    if (outside.length > 0) seen.problems.push(`${what}: not whole on the screen: ${outside.join(', ')}`);
    seen.words = Math.max(seen.words, words);
  }
  await rig.console(`/users/${encodeURIComponent(userId)}/deny-all`, { method: 'POST' });
  await page.getByRole('alertdialog').waitFor({ state: 'detached' });
  await page.reload();
  await page.getByText('No requests waiting').waitFor();
  return seen;
}

function printTable(): void {
  const row = (cells: readonly (string | number)[]) =>
    cells.map((cell, index) => String(cell).padEnd(index === 0 ? 12 : 8)).join('');
  console.log(
    `\nWords in the first layer, ${VARIANTS} prompts of each kind\n${row(['kind', 'least', 'median', 'most'])}`,
  );
  for (const [kind, seen] of found) {
    const words = seen.map((each) => each.words);
    console.log(row([kind, Math.min(...words), median(words), Math.max(...words)]));
  }
}
