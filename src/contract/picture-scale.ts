export type PictureSize = { width: number; height: number };

/** `maxEdge`: of the longer edge; `maxPixels`: of the whole picture. */
export type PictureLimit = { maxEdge?: number | undefined; maxPixels?: number | undefined };

/** The size of a picture within the limits, of the same proportions and never larger than it is. Each edge has at least one pixel. */
export function sizeWithin({ width, height }: PictureSize, { maxEdge, maxPixels }: PictureLimit): PictureSize {
  const byEdge = maxEdge === undefined ? 1 : maxEdge / Math.max(width, height);
  const byPixels = maxPixels === undefined ? 1 : Math.sqrt(maxPixels / (width * height));
  const scale = Math.min(1, byEdge, byPixels);
  if (scale === 1) return { width, height };
  const edge = (length: number) => Math.max(1, Math.floor(length * scale));
  return { width: edge(width), height: edge(height) };
}
