/** Colours of the page that a canvas draws with. A canvas knows no CSS variables, so their values are read from the page. */
export type Colours = Record<(typeof NAMES)[number], string>;

const NAMES = ['text', 'muted', 'line', 'surface', 'accent', 'low', 'medium', 'high', 'critical'] as const;

export function coloursOf(element: HTMLElement): Colours {
  const probe = document.createElement('span');
  probe.hidden = true;
  // Forced colours are those of the system already; forced once more, all of them would be one.
  probe.style.setProperty('forced-color-adjust', 'none');
  element.append(probe);
  const entries = NAMES.map((name) => {
    probe.style.color = `var(--${name})`;
    return [name, getComputedStyle(probe).color];
  });
  probe.remove();
  return Object.fromEntries(entries) as Colours;
}

const THEME_QUERIES = ['(prefers-color-scheme: dark)', '(prefers-contrast: more)', '(forced-colors: active)'];

/** Calls back when the person changes the theme or the contrast, here or in the system. Answers the unsubscribe. */
export function onThemeChange(changed: () => void): () => void {
  const queries = THEME_QUERIES.map((query) => window.matchMedia(query));
  for (const query of queries) query.addEventListener('change', changed);
  const chosen = new MutationObserver(changed);
  chosen.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  return () => {
    for (const query of queries) query.removeEventListener('change', changed);
    chosen.disconnect();
  };
}

/** The same colour, partly transparent. `share`: 0 to 1. */
export function faded(colour: string, share: number): string {
  return `color-mix(in srgb, ${colour} ${Math.round(100 * share)}%, transparent)`;
}

type Stripes = { colour: string; surface: string; slope: 1 | 0 | -1 };

/** Stripes over an opaque ground, so that areas can be told apart without their colours. `slope` 1 rises, -1 falls, 0 is level. */
export function striped(
  context: CanvasRenderingContext2D,
  { colour, surface, slope }: Stripes,
): CanvasPattern | string {
  const size = 6 * devicePixelRatio;
  const tile = document.createElement('canvas');
  tile.width = size;
  tile.height = size;
  const pen = tile.getContext('2d');
  if (pen === null) return colour;
  pen.fillStyle = surface;
  pen.fillRect(0, 0, size, size);
  pen.fillStyle = faded(colour, 0.35);
  pen.fillRect(0, 0, size, size);
  pen.strokeStyle = colour;
  pen.lineWidth = 2 * devicePixelRatio;
  const rise = slope * size;
  for (const shift of [-size, 0, size]) {
    const middle = size / 2 + (slope === 0 ? 0 : shift);
    pen.beginPath();
    pen.moveTo(-size, middle + 1.5 * rise);
    pen.lineTo(2 * size, middle - 1.5 * rise);
    pen.stroke();
  }
  return context.createPattern(tile, 'repeat') ?? colour;
}
