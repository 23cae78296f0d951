import { progress as ofProcess } from './progress.ts';

/** One measured figure and its goal. */
export type Figure = {
  name: string;
  value: number;
  unit: string;
  goal?: { atMost: number } | { atLeast: number };
  note?: string;
};

/** Prints figures as they come, and its heading again while none comes; at the end says which goals were missed. */
export function createReport(output: (line: string) => void = console.log, progress = ofProcess) {
  const missed: string[] = [];
  const print = (line: string) => {
    progress.printed();
    output(line);
  };
  return {
    heading(text: string): void {
      print(`\n${text}`);
      progress.at(text);
    },
    figure({ name, value, unit, goal, note }: Figure): void {
      const isMet = goal === undefined || ('atMost' in goal ? value <= goal.atMost : value >= goal.atLeast);
      if (!isMet) missed.push(name);
      const aim =
        goal === undefined
          ? ''
          : `  goal ${'atMost' in goal ? `≤ ${goal.atMost}` : `≥ ${goal.atLeast}`} ${isMet ? 'met' : 'MISSED'}`;
      print(`  ${name.padEnd(58)} ${shown(value).padStart(9)} ${unit}${aim}${note === undefined ? '' : `  (${note})`}`);
    },
    missed: (): readonly string[] => missed,
  };
}

export type Report = ReturnType<typeof createReport>;

function shown(value: number): string {
  if (!Number.isFinite(value)) return '–';
  return value >= 100 ? String(Math.round(value)) : value.toFixed(value >= 10 ? 1 : 2);
}
