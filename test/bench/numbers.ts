/** What is made of several takings of the same thing. */

export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number): number => sorted[Math.round((sorted.length - 1) * share)] ?? NaN;
  const middle = (sorted.length - 1) / 2;
  return {
    median: ((sorted[Math.floor(middle)] ?? NaN) + (sorted[Math.ceil(middle)] ?? NaN)) / 2,
    min: at(0),
    max: at(1),
  };
}

/** `123 (120 to 125)` */
export function spell({ median, min, max }: Spread, digits = 0): string {
  const [m, low, high] = [median, min, max].map(value => value.toFixed(digits));
  return `${m} (${low} to ${high})`;
}

/** A Markdown table. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map(cells => `| ${cells.join(' | ')} |`).join('\n');
}

/** `≥ 0.95: met` */
export function verdict(sign: '≥' | '≤', value: number, wanted: number, digits = 2): string {
  const met = sign === '≥' ? value >= wanted : value <= wanted;
  return `${sign} ${wanted.toFixed(digits)}: ${met ? 'met' : 'missed'}`;
}
