/** What paper and scanners add to a page: rules, holes, staples, dust, streaks, folds. SVG in millimetres. */
import { between, dice, pick, times, type Dice } from './drawing.js';

const line = (x1: number, y1: number, x2: number, y2: number, ink: string, width: number, more = ''): string =>
  `<path d="M${x1} ${y1}L${x2} ${y2}" stroke="${ink}" stroke-width="${width}" fill="none" ${more}/>`;

/** @param bleed millimetres that rules run over the sheet's edge, or end before it if negative */
export function ruled(random: Dice, wide: number, high: number): string {
  const ink = pick(random, ['#9ab', '#8fb0d8', '#b8b8b8', '#aac4aa', '#7a9cc8', '#c8a8b8']);
  const width = between(random, 0.12, 0.35);
  const pitch = pick(random, [5, 7, 8, 8.7, 9]);
  const inset = pick(random, [-2, -2, 0, 6, 10]);
  const top = between(random, 8, 30);
  const lines = times((high - top - 5) / pitch, i =>
    line(inset, top + i * pitch, wide - inset, top + i * pitch, ink, width),
  );
  const margin =
    random() < 0.4 ? line(between(random, 20, 35), -2, between(random, 20, 35), high + 2, '#e08a8a', width) : '';
  return lines + margin.replace(/L[\d.]+ /, found => found.replace(/[\d.]+/, /M([\d.]+) /.exec(margin)?.[1] ?? '0'));
}

export function squared(random: Dice, wide: number, high: number): string {
  const ink = pick(random, ['#9ab', '#a8c0e0', '#b8b8b8', '#a9b8d0']);
  const width = between(random, 0.1, 0.25);
  const pitch = pick(random, [4, 5, 5, 10]);
  const inset = pick(random, [-2, -2, 5]);
  const rows = times((high - 2 * inset) / pitch + 0.5, i =>
    line(inset, inset + i * pitch, wide - inset, inset + i * pitch, ink, width),
  );
  const columns = times((wide - 2 * inset) / pitch + 0.5, i =>
    line(inset + i * pitch, inset, inset + i * pitch, high - inset, ink, width),
  );
  return rows + columns;
}

/** Two, four or many; black or the grey of the lid behind them, with a shadow. */
export function holes(random: Dice, wide: number, high: number): string {
  const ink = pick(random, ['#000', '#111', '#333', '#777', '#999']);
  const radius = between(random, 2.6, 3.2);
  const fromEdge = pick(random, [12, 11, 13, 9, 3, 1.5]);
  const kind = pick(random, ['two', 'two', 'four', 'three', 'comb', 'spiral']);
  const disk = (y: number, r = radius, x = fromEdge): string =>
    `<circle cx="${x + 0.25}" cy="${y + 0.25}" r="${r}" fill="#888" fill-opacity=".3"/><circle cx="${x}" cy="${y}" r="${r}" fill="${ink}"/>`;
  const middle = high / 2 + between(random, -8, 8);
  const body = {
    two: () => disk(middle - 40) + disk(middle + 40),
    four: () => times(4, i => disk(middle + (i - 1.5) * 80)),
    three: () => times(3, i => disk(middle + (i - 1) * 108)),
    comb: () => {
      const pitch = pick(random, [14.28, 8.47]);
      const [w, h] = pitch > 10 ? [3, 8] : [4, 4];
      return times(
        (high - 12) / pitch,
        i => `<rect x="4" y="${6 + i * pitch}" width="${w}" height="${h}" fill="${ink}"/>`,
      );
    },
    spiral: () => times((high - 10) / 8.47, i => disk(6 + i * 8.47, 2.1, 6)),
  }[kind as 'two']();
  return random() < 0.3 ? `<g transform="translate(${wide} 0) scale(-1 1)">${body}</g>` : body;
}

export function staple(random: Dice, wide: number, high: number): string {
  const right = random() < 0.3;
  const [x, y] = [right ? wide - between(random, 8, 16) : between(random, 8, 16), between(random, 6, 16)];
  const angle = pick(random, [0, 90, 45, -45, between(random, -20, 20)]);
  const length = between(random, 10, 12.5);
  const wire = `${line(-length / 2 + 0.2, 0.5, length / 2 + 0.2, 0.5, '#999', 0.5, 'stroke-opacity=".5"')}${line(-length / 2, 0, length / 2, 0, pick(random, ['#444', '#222', '#666']), between(random, 0.45, 0.65))}`;
  const lost = random() < 0.3;
  const marks = lost
    ? `<circle cx="${-length / 2}" r=".35" fill="#555"/><circle cx="${length / 2}" r=".35" fill="#555"/>`
    : wire;
  void high;
  return `<g transform="translate(${x} ${y}) rotate(${angle})">${marks}</g>`;
}

export function dust(random: Dice, wide: number, high: number): string {
  return times(between(random, 3, 60), () => {
    const radius = between(random, 0.05, 0.38);
    const tone = Math.floor(between(random, 40, 180));
    return `<ellipse cx="${random() * wide}" cy="${random() * high}" rx="${radius}" ry="${radius * between(random, 0.6, 1)}" fill="rgb(${tone},${tone},${tone})"/>`;
  });
}

/** Straight down the scanned area, whatever the sheet's angle. */
export function streaks(random: Dice, wide: number, high: number): string {
  return times(1 + random() * 2.5, () => {
    const x = between(random, 5, wide - 5);
    const tone = Math.floor(between(random, 60, 225));
    return line(x, -1, x, high + 1, `rgb(${tone},${tone},${tone + 4})`, between(random, 0.08, 0.3));
  });
}

/** A crease with a soft shadow beside it. */
export function folds(random: Dice, wide: number, high: number): string {
  const across = random() < 0.7;
  return times(pick(random, [1, 1, 2]), i => {
    const at = (across ? high : wide) * (pick(random, [1 / 2, 1 / 3, 1 / 4]) + i * 0.3);
    const slant = between(random, -0.8, 0.8);
    const id = `f${Math.floor(random() * 1e9)}`;
    const strength = between(random, 0.05, 0.16);
    const band = across
      ? `<rect x="-2" y="${at}" width="${wide + 4}" height="${between(random, 2, 8)}" fill="url(#${id})"/>`
      : `<rect y="-2" x="${at}" height="${high + 4}" width="${between(random, 2, 8)}" fill="url(#${id})"/>`;
    const [x2, y2] = across ? [0, 1] : [1, 0];
    const shade = `<linearGradient id="${id}" x1="0" y1="0" x2="${x2}" y2="${y2}"><stop offset="0" stop-color="#000" stop-opacity="${strength}"/><stop offset="1" stop-color="#000" stop-opacity="0"/></linearGradient>`;
    const tone = Math.floor(between(random, 150, 225));
    const ink = `rgb(${tone},${tone},${tone})`;
    const crease = across
      ? line(-2, at, wide + 2, at + slant, ink, 0.25)
      : line(at, -2, at + slant, high + 2, ink, 0.25);
    return `<g>${shade}${band}${crease}</g>`;
  });
}

/** A factor from 0 to 1 for each place of the sheet: the shadow of the spine, uneven light. */
export function shading(random: Dice, kind: 'none' | 'spine' | 'slope'): (x: number, y: number) => number {
  const own = dice(Math.floor(random() * 1e9));
  if (kind === 'none') return () => 1;
  if (kind === 'slope') {
    const [along, down] = [between(own, -0.08, 0.08), between(own, -0.08, 0.08)];
    return (x, y) => 1 - Math.abs(along) / 2 - Math.abs(down) / 2 + along * (x - 0.5) + down * (y - 0.5);
  }
  const [depth, reach, right] = [between(own, 0.15, 0.7), between(own, 0.015, 0.05), own() < 0.5];
  return x => 1 - depth * Math.exp(-(right ? 1 - x : x) / reach);
}
