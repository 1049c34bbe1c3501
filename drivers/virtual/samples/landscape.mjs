/** A mountain lake at dusk that no camera has seen: for a page with a photograph. */

/** Repeatable noise in 0..1 on a lattice. */
function lattice(x, y, seed) {
  let h = Math.imul(x, 374761393) ^ Math.imul(y, 668265263) ^ Math.imul(seed, 2246822519);
  h = Math.imul(h ^ (h >>> 13), 1274126177);
  return ((h ^ (h >>> 16)) >>> 0) / 2 ** 32;
}

function noise(x, y, seed) {
  const [ix, iy] = [Math.floor(x), Math.floor(y)];
  const ease = t => t * t * (3 - 2 * t);
  const [u, v] = [ease(x - ix), ease(y - iy)];
  const top = lattice(ix, iy, seed) * (1 - u) + lattice(ix + 1, iy, seed) * u;
  const bottom = lattice(ix, iy + 1, seed) * (1 - u) + lattice(ix + 1, iy + 1, seed) * u;
  return top * (1 - v) + bottom * v;
}

function fractal(x, y, seed, octaves) {
  let [sum, amplitude, total] = [0, 1, 0];
  for (let i = 0; i < octaves; i++, amplitude *= 0.5) {
    sum += amplitude * noise(x * 2 ** i, y * 2 ** i, seed + i);
    total += amplitude;
  }
  return sum / total;
}

const mix = (a, b, t) => a.map((v, i) => v + (b[i] - v) * Math.min(1, Math.max(0, t)));

/** Far to near: base height of the ridge (0 top, 1 bottom), its relief, width of its features, colour of its shade and light. */
const ridges = [
  { base: 0.42, relief: 0.30, scale: 2.1, seed: 11, shade: [104, 112, 150], light: [226, 178, 160], snow: 0.30 },
  { base: 0.50, relief: 0.22, scale: 3.1, seed: 37, shade: [66, 78, 112], light: [170, 128, 122], snow: 0.36 },
  { base: 0.565, relief: 0.13, scale: 4.5, seed: 71, shade: [38, 54, 74], light: [96, 88, 88], snow: 0 },
  { base: 0.60, relief: 0.05, scale: 11, seed: 93, shade: [20, 34, 40], light: [52, 60, 52], snow: 0 },
];
const SHORE = 0.615;

function above(x, y) {
  const sun = Math.hypot(x - 1.02, (y - 0.36) * 1.15);
  let colour = mix([58, 84, 146], [244, 176, 124], (y / 0.55) ** 1.15);
  colour = mix(colour, [255, 226, 170], Math.exp(-sun * 5.5));
  const cloud = fractal(x * 2.2 + 3, y * 9 + fractal(x * 3, y * 3, 5, 3) * 1.6, 3, 6);
  colour = mix(colour, mix([255, 214, 186], [122, 104, 138], (cloud - 0.55) * 4), (cloud - 0.5) * 4 * (1 - y * 1.1));
  for (const { base, relief, scale, seed, shade, light, snow } of ridges) {
    const edge = base - relief * (fractal(x * scale, 0.5, seed, 8) - 0.35) * 1.6;
    if (y < edge) continue;
    const depth = (y - edge) / relief;
    const slope = fractal((x + 0.012) * scale, 0.5, seed, 8) - fractal((x - 0.012) * scale, 0.5, seed, 8);
    const rock = fractal(x * scale * 9 + depth * 2, y * 46, seed + 7, 5);
    colour = mix(shade, light, 0.32 + slope * 7 + (rock - 0.5) * 1.5 - depth * 0.4);
    if (snow && edge < snow + 0.06 * rock + 0.06) colour = mix(colour, [250, 226, 214], (snow + 0.11 * rock + 0.02 - y) * 18);
    colour = mix(colour, [212, 168, 158], (0.6 - base) * 1.5 * Math.min(1, depth * 0.9));
  }
  return colour;
}

function water(x, y) {
  const far = (y - SHORE) / (1 - SHORE);
  const swell = fractal(x * (9 - far * 5), 40 * Math.log(0.03 + far), 201, 4) - 0.5;
  const mirrored = above(x + swell * 0.03 * (0.3 + far), SHORE - (y - SHORE) * 1.35 + swell * 0.09 * (0.15 + far));
  return mix(mirrored, [26, 44, 74], 0.18 + far * 0.38 + swell * 0.25);
}

/** Reeds and stones at the near shore, as coverage 0..1. */
function foreground(x, y) {
  const bank = 0.955 - 0.07 * fractal(x * 2.4, 0.3, 301, 5) + 0.05 * Math.abs(x - 0.75);
  const blade = fractal(x * 150, y * 3, 311, 2) * 0.075 * fractal(x * 6, 0, 317, 3) * 1.6;
  return y > bank - blade ? 1 : 0;
}

/** RGB bytes. */
export function landscape(width, height) {
  const pixels = Buffer.alloc(width * height * 3);
  for (let py = 0; py < height; py++) {
    for (let px = 0; px < width; px++) {
      const [x, y] = [px / height, py / height];
      let colour = y < SHORE ? above(x, y) : water(x, y);
      if (Math.abs(y - SHORE) < 0.0025) colour = mix(colour, [22, 32, 38], 0.7);
      if (foreground(x, y)) colour = mix([14, 20, 22], [58, 54, 40], fractal(x * 60, y * 60, 331, 3) * 1.3 - 0.35);
      const vignette = 1 - 0.22 * Math.hypot(px / width - 0.5, py / height - 0.5) ** 2 * 2;
      const grain = (lattice(px, py, 401) - 0.5) * 5;
      colour.forEach((v, i) => (pixels[(py * width + px) * 3 + i] = Math.min(255, Math.max(0, v * vignette + grain))));
    }
  }
  return pixels;
}
