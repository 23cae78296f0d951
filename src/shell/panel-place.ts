type Area = { x: number; y: number; width: number; height: number };

export const PANEL_SIZE = { width: 420, height: 600 };

const MARGIN = 12;

/** Where the panel stands: at the top right of the display that the person uses, smaller where that has less room. */
export function panelPlace(workArea: Area): Area {
  const width = Math.min(PANEL_SIZE.width, workArea.width - 2 * MARGIN);
  const height = Math.min(PANEL_SIZE.height, workArea.height - 2 * MARGIN);
  return { x: workArea.x + workArea.width - width - MARGIN, y: workArea.y + MARGIN, width, height };
}
