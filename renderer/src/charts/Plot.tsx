import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import { type Colours, coloursOf, onThemeChange } from './colours.ts';

export type PlotOptions = Omit<uPlot.Options, 'width' | 'height'>;
export type PlotProps = {
  /** Times in seconds first, then the values of each series. */
  data: uPlot.AlignedData;
  /** Must be the same function as long as the chart is the same. */
  optionsOf: (colours: Colours) => PlotOptions;
  height: number;
  /** The index of the point under the pointer, or null. */
  onPoint: (index: number | null) => void;
  /** A click on the part of the chart with this index. */
  onOpen?: ((index: number) => void) | undefined;
};

/** A chart on a canvas, as wide as its place. It is drawn again when the data, the width or the theme change. */
export function Plot({ data, optionsOf, height, onPoint, onOpen }: PlotProps) {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(undefined);
  const latest = useRef(data);
  latest.current = data;

  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    const draw = () => {
      plot.current?.destroy();
      const options = withPointer(optionsOf(coloursOf(element)), onPoint);
      plot.current = new uPlot({ ...options, width: widthOf(element), height }, latest.current, element);
    };
    draw();
    const resized = new ResizeObserver(() => {
      const width = widthOf(element);
      if (plot.current !== undefined && plot.current.width !== width) plot.current.setSize({ width, height });
    });
    resized.observe(element);
    const stopTheme = onThemeChange(draw);
    return () => {
      stopTheme();
      resized.disconnect();
      plot.current?.destroy();
      plot.current = undefined;
    };
  }, [optionsOf, height, onPoint]);

  useEffect(() => plot.current?.setData(data), [data]);

  const open = () => {
    const index = plot.current?.cursor.idx;
    if (index !== null && index !== undefined) onOpen?.(index);
  };
  return <div ref={place} className="plot" {...(onOpen !== undefined && { onClick: open, 'data-opens': true })} />;
}

function widthOf(element: HTMLElement): number {
  return Math.max(120, Math.floor(element.clientWidth));
}

function withPointer(options: PlotOptions, onPoint: PlotProps['onPoint']): PlotOptions {
  const moved = (plot: uPlot) => onPoint(plot.cursor.idx ?? null);
  return {
    ...options,
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 7 }, ...options.cursor },
    hooks: { ...options.hooks, setCursor: [...(options.hooks?.setCursor ?? []), moved] },
  };
}
