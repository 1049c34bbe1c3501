/** What is drawn on test pages, as SVG in millimetres. Letters are strokes of our own: no machine lacks their font. */

export type Dice = () => number;

/** Numbers from 0 to 1 that are the same in every run (mulberry32). */
export function dice(seed: number): Dice {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export const between = (random: Dice, from: number, to: number): number => from + random() * (to - from);
export const pick = <T>(random: Dice, from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
export const times = (count: number, make: (i: number) => string): string =>
  Array.from({ length: Math.round(count) }, (_, i) => make(i)).join('');

/** Strokes on a grid of 4 by 6; lower case is 4 high. */
const glyphs: Readonly<Record<string, string>> = {
  0: 'M2 0Q0 0 0 3T2 6T4 3T2 0',
  1: 'M.6 1.4L2.4 0V6',
  2: 'M0 1.4Q.2 0 2 0T4 1.7Q4 3 0 6H4',
  3: 'M.2 0H3.8L1.8 2.4Q4 2.4 4 4.2T2 6T0 5',
  4: 'M3 6V0L0 4.2H4',
  5: 'M3.8 0H.6L.3 2.6Q4 1.6 4 4T1.8 6T0 5.2',
  6: 'M3.4 0Q0 1.6 0 4T2 6T4 4.2T2 2.4T0 4',
  7: 'M0 0H4L1.4 6',
  8: 'M2 0Q.3 0 .3 1.4T2 2.8T3.7 1.4T2 0M2 2.8Q0 2.8 0 4.4T2 6T4 4.4T2 2.8',
  9: 'M.6 6Q4 4.4 4 2T2 0T0 1.8T2 3.6T4 2',
  a: 'M3.6 6V3.4Q3.6 2 2 2T.4 2.6M3.6 3.6Q0 3.4 0 4.8T1.6 6T3.6 4.8',
  d: 'M3.6 0V6M3.6 4Q3.6 2 1.8 2T0 4T1.8 6T3.6 4',
  e: 'M0 4H3.8Q3.8 2 2 2T0 4T2 6Q3 6 3.6 5.3',
  h: 'M0 0V6M0 3.6Q.4 2 2 2T3.6 3.6V6',
  i: 'M1 2V6M1 .6V.9',
  l: 'M1 0V6',
  m: 'M0 2V6M0 3.4Q.2 2 1.1 2T2 3.4V6M2 3.4Q2.2 2 3.1 2T4 3.4V6',
  n: 'M0 2V6M0 3.6Q.4 2 2 2T3.6 3.6V6',
  o: 'M1.9 2Q0 2 0 4T1.9 6T3.8 4T1.9 2',
  r: 'M.4 2V6M.4 3.6Q.8 2 2.6 2.1',
  s: 'M3.3 2.6Q2.6 2 1.7 2T.3 3Q.3 3.8 1.8 4T3.4 5T1.7 6T0 5.3',
  t: 'M1.4 .6V5Q1.4 6 3 5.9M.2 2H2.8',
  u: 'M.2 2V4.4Q.2 6 1.8 6T3.6 4.4M3.6 2V6',
  A: 'M0 6L2 0L4 6M.7 4H3.3',
  D: 'M0 0V6H1.6Q4 6 4 3T1.6 0H0',
  E: 'M4 0H0V6H4M0 3H3',
  F: 'M4 0H0V6M0 3H3',
  I: 'M1 0V6',
  P: 'M0 6V0H2Q4 0 4 1.7T2 3.4H0',
  R: 'M0 6V0H2Q4 0 4 1.7T2 3.4H0M2 3.4L4 6',
  T: 'M0 0H4M2 0V6',
  V: 'M0 0L2 6L4 0',
};
const letters = 'adehilmnorstu';

export function word(random: Dice, length = 2 + Math.floor(random() * 8)): string {
  return Array.from({ length }, () => letters[Math.floor(random() * letters.length)]).join('');
}

export function words(random: Dice, characters: number): string {
  let line = word(random);
  while (line.length < characters) line += ` ${word(random)}`;
  return line.slice(0, characters);
}

export interface Pen {
  readonly ink: string;
  /** The stroke's width, in millimetres; a tenth of the size if absent. */
  readonly width?: number;
  readonly opacity?: number;
}

/** @param size the height of a digit, in millimetres: 0.7 of a font's size */
export function text(written: string, x: number, y: number, size: number, { ink, width, opacity = 1 }: Pen): string {
  const scale = size / 6;
  const strokes = [...written]
    .map((each, i) => (glyphs[each] ? `<path transform="translate(${i * 5.2} 0)" d="${glyphs[each]}"/>` : ''))
    .join('');
  return `<g transform="translate(${x} ${y - size}) scale(${scale})" fill="none" stroke="${ink}" stroke-opacity="${opacity}" stroke-width="${(width ?? size * 0.12) / scale}" stroke-linecap="round" stroke-linejoin="round">${strokes}</g>`;
}

export const widthOf = (written: string, size: number): number => (written.length * 5.2 * size) / 6;

/** A page of text, in points of a font. */
export function textPage(random: Dice, wide: number, high: number, points: number, ink: string): string {
  const size = points * 0.3528 * 0.7;
  const lead = points * 0.3528 * between(random, 1.2, 1.6);
  const margin = between(random, 15, 25);
  let body = '';
  for (let y = margin + size; y < high - margin; y += lead) {
    if (random() < 0.08) continue;
    const share = random() < 0.2 ? random() : 1;
    const count = Math.floor(((wide - 2 * margin) * share * 6) / (5.2 * size));
    if (count > 2) body += text(words(random, count), margin, y, size, { ink });
  }
  return body;
}

/** A name as somebody signs it. */
export function signature(random: Dice, x: number, y: number, length: number, pen: Pen): string {
  let path = `M${x} ${y}`;
  for (let at = 0; at < length;) {
    const step = between(random, 1.5, 5);
    const height = between(random, 2, 9) * (random() < 0.5 ? -1 : 0.4);
    path += `q${step * 0.2} ${height} ${step * 0.6} ${height * 0.3}t${step * 0.4} ${-height * 0.25}`;
    at += step;
  }
  return `<path d="${path}" fill="none" stroke="${pen.ink}" stroke-opacity="${pen.opacity ?? 1}" stroke-width="${pen.width ?? 0.4}" stroke-linecap="round"/>`;
}

export function barcode(random: Dice, x: number, y: number, length: number, high: number): string {
  let path = '';
  for (let at = 0; at < length;) {
    const bar = 0.33 * Math.ceil(random() * 3);
    path += `M${x + at} ${y}h${bar}v${high}h${-bar}z`;
    at += bar + 0.33 * Math.ceil(random() * 3);
  }
  return `<path d="${path}" fill="#111"/>`;
}

export function stamp(random: Dice, x: number, y: number, ink: string, opacity: number): string {
  const [wide, high] = [between(random, 25, 50), between(random, 10, 18)];
  const size = high * 0.3;
  const count = Math.max(2, Math.floor((wide - 4) / (size * 0.87)));
  const lines = [0.42, 0.85]
    .map(share => text(words(random, count), x + 2, y + high * share, size, { ink, width: size * 0.16 }))
    .join('');
  const frame = `<rect x="${x}" y="${y}" width="${wide}" height="${high}" rx="1" fill="none" stroke="${ink}" stroke-width="${between(random, 0.4, 0.9)}"/>`;
  const turn = between(random, -9, 9);
  return `<g opacity="${opacity}" transform="rotate(${turn} ${x + wide / 2} ${y + high / 2})">${frame}${lines}</g>`;
}

export function logo(random: Dice, x: number, y: number, size: number, ink: string): string {
  const half = size / 2;
  const mark = pick(random, [
    `<circle cx="${x + half}" cy="${y + half}" r="${half * 0.9}" fill="none" stroke="${ink}" stroke-width="${size * 0.12}"/><path d="M${x + half} ${y + size * 0.2}L${x + size * 0.75} ${y + size * 0.7}H${x + size * 0.25}z" fill="${ink}"/>`,
    `<path d="M${x} ${y + size}V${y}L${x + half} ${y + half}L${x + size} ${y}V${y + size}z" fill="${ink}"/>`,
    `<rect x="${x}" y="${y}" width="${size}" height="${size}" rx="${size * 0.2}" fill="${ink}"/>${text('P', x + size * 0.35, y + size * 0.8, size * 0.6, { ink: '#fff', width: size * 0.1 })}`,
  ]);
  return mark + text(word(random, 6), x + size * 1.2, y + size * 0.7, size * 0.35, { ink });
}

/** Blots of many tones, as a photograph has them. */
export function photo(random: Dice, x: number, y: number, wide: number, high: number): string {
  const tone = (): string => {
    const [r, g, b] = [0, 0, 0].map(() => Math.floor(between(random, 30, 210)));
    return `rgb(${r},${g},${b})`;
  };
  const blots = times(40, () => {
    const radius = between(random, 0.05, 0.3) * wide;
    return `<ellipse cx="${x + random() * wide}" cy="${y + random() * high}" rx="${radius}" ry="${radius * between(random, 0.3, 1)}" fill="${tone()}" fill-opacity=".6"/>`;
  });
  return `<svg x="${x}" y="${y}" width="${wide}" height="${high}" viewBox="${x} ${y} ${wide} ${high}"><rect x="${x}" y="${y}" width="${wide}" height="${high}" fill="${tone()}"/>${blots}</svg>`;
}
