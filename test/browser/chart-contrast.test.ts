import { expect, test } from 'vitest';
import { paintedColours, type Rgb } from './chart-pixels.ts';
import { useSharedDaemon } from './charts-rig.ts';

const { openAt, requester } = useSharedDaemon();

/** The least contrast of graphics and of text beside their ground (WCAG 1.4.11 and 1.4.3). */
const GRAPHIC = 3;
const TEXT = 4.5;

function luminance(colour: Rgb): number {
  const [red, green, blue] = colour.map((value) => {
    const share = value / 255;
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0);
}

function contrast(one: Rgb, other: Rgb): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** As the charts draw them: see `series-plot.ts`, `OutcomePlot.tsx`, `marks.ts` and `marks.ts`. */
const COLOURS = {
  surface: 'var(--surface)',
  line: 'var(--accent)',
  bandEdge: 'color-mix(in srgb, var(--low) 70%, transparent)',
  band: 'color-mix(in srgb, var(--low) 16%, transparent)',
  off: 'color-mix(in srgb, var(--muted) 10%, transparent)',
  words: 'var(--muted)',
  limit: 'var(--medium)',
  farBeyond: 'var(--critical)',
  prompts: 'var(--text)',
};

test.each(['light', 'dark'] as const)(
  'lines, edges of bands and words of the charts stand out from their ground: %s',
  async (colorScheme) => {
    const page = await openAt('#/overview', { colorScheme });
    const { surface, line, bandEdge, band, off, words, limit, farBeyond, prompts } = await paintedColours(
      page,
      COLOURS,
    );
    if (surface === undefined || band === undefined || off === undefined) throw new Error('every colour is painted');
    const weak = [
      ...Object.entries({ line, bandEdge, limit, farBeyond, prompts }).map(
        ([name, colour]) => [name, colour, surface, GRAPHIC] as const,
      ),
      ['line on the band', line, band, GRAPHIC] as const,
      ...Object.entries({ words, limit, farBeyond }).map(
        ([name, colour]) => [`words: ${name}`, colour, surface, TEXT] as const,
      ),
      ['words: Handrail was off', words, off, TEXT] as const,
      ['words: limit on the band', limit, band, TEXT] as const,
    ].flatMap(([name, colour, ground, least]) => {
      const ratio = colour === undefined ? 0 : contrast(colour, ground);
      return ratio < least ? [`${name}: ${ratio.toFixed(2)}`] : [];
    });
    expect(weak).toEqual([]);
  },
);

test.each(['light', 'dark'] as const)('a drawn bar has the colour that was checked: %s', async (theme) => {
  const ann = await requester('ann');
  for (let count = 0; count < 3; count += 1) await ann.wait();
  const page = await openAt('#/overview', { colorScheme: theme });
  const canvas = page.locator('.outcome-chart canvas');
  await canvas.waitFor();
  const { surface, line } = await paintedColours(page, COLOURS);
  if (surface === undefined || line === undefined) throw new Error('every colour is painted');
  const drawn = () =>
    canvas.evaluate((element, wanted) => {
      if (!(element instanceof HTMLCanvasElement)) return false;
      const { data } = element.getContext('2d')?.getImageData(0, 0, element.width, element.height) ?? { data: [] };
      for (let at = 0; at < data.length; at += 4) {
        const isOpaque = data[at + 3] === 255;
        if (isOpaque && wanted.every((value, index) => Math.abs(value - (data[at + index] ?? 0)) <= 1)) return true;
      }
      return false;
    }, line);
  await expect.poll(drawn).toBe(true);
  expect(contrast(line, surface)).toBeGreaterThanOrEqual(GRAPHIC);
});
