import type { Page } from 'playwright';

/** Each part from 0 to 255. */
export type Rgb = readonly [red: number, green: number, blue: number];

/** A part of a chart, in CSS pixels from the left upper corner of the area inside its axes. */
export type Box = { left: number; top: number; width: number; height: number };

/** A colour as it is on the canvas, which has no ground of its own: `alpha` 0 where nothing is drawn. Each part from 0 to 255. */
export type Pixel = { rgb: Rgb; alpha: number };

/** The width and height inside the axes of a chart, in CSS pixels. */
export async function plotSize(page: Page, chart: string): Promise<{ width: number; height: number }> {
  const box = await page.locator(`${chart} .u-over`).boundingBox();
  if (box === null) throw new Error(`${chart} has no plot`);
  return box;
}

/** Every pixel in a part of a chart, row by row. */
export function pixelsIn(page: Page, chart: string, box: Box): Promise<Pixel[]> {
  return page.locator(chart).evaluate((figure, part) => {
    const [canvas, inside] = [figure.querySelector('canvas'), figure.querySelector('.u-over')];
    if (canvas === null || inside === null) throw new Error('the chart is not drawn yet');
    const [outer, inner, scale] = [canvas.getBoundingClientRect(), inside.getBoundingClientRect(), devicePixelRatio];
    const [left, top] = [inner.left - outer.left + part.left, inner.top - outer.top + part.top];
    const sizes = [left, top, part.width, part.height].map((size) => Math.round(size * scale));
    const [x = 0, y = 0, width = 1, height = 1] = sizes;
    // Chromium complains about a canvas that is read again and again, so its pixels are read from a copy.
    const copy = document.createElement('canvas');
    [copy.width, copy.height] = [width, height];
    const pen = copy.getContext('2d', { willReadFrequently: true });
    pen?.drawImage(canvas, -x, -y);
    const { data } = pen?.getImageData(0, 0, width, height) ?? { data: [] };
    return Array.from({ length: data.length / 4 }, (_, index) => {
      const [red = 0, green = 0, blue = 0, alpha = 0] = data.slice(4 * index, 4 * index + 4);
      return { rgb: [red, green, blue] as const, alpha };
    });
  }, box);
}

/** Whether a pixel belongs to a line of a colour. A line of one pixel may cover two of them by half. */
export function isOfLine({ rgb, alpha }: Pixel, wanted: Rgb | undefined): boolean {
  return alpha > 90 && wanted !== undefined && wanted.every((value, index) => Math.abs(value - (rgb[index] ?? 0)) <= 3);
}

/** Variables of the style sheet as the browser paints them. A mix such as `--low 70%` is painted over `--surface`. */
export async function paintedColours(page: Page, colours: Record<string, string>): Promise<Record<string, Rgb>> {
  return page.evaluate((wanted) => {
    const canvas = document.createElement('canvas');
    const pen = canvas.getContext('2d', { willReadFrequently: true });
    const probe = document.createElement('span');
    document.body.append(probe);
    const computed = (colour: string) => {
      probe.style.color = colour;
      return getComputedStyle(probe).color;
    };
    const painted = Object.entries(wanted).map(([name, colour]) => {
      if (pen === null) throw new Error('a canvas has a context');
      for (const layer of ['var(--surface)', colour]) {
        pen.fillStyle = computed(layer);
        pen.fillRect(0, 0, 1, 1);
      }
      const [red = 0, green = 0, blue = 0] = pen.getImageData(0, 0, 1, 1).data;
      return [name, [red, green, blue]];
    });
    probe.remove();
    return Object.fromEntries(painted);
  }, colours);
}
