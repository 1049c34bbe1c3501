/** Pages without text that an engine may take for text: noise, pictures, holes and lines. */
import type { RawPage } from '@platen/core/plugin';
import sharp from 'sharp';
import { drawing, pageOf } from './samples.test.kit.js';

/** @returns by what the page shows */
export async function textlessPages(): Promise<Readonly<Record<string, RawPage>>> {
  const noise = (mean: number, spread: number) =>
    sharp(grain(mean, spread), { raw: { width: 800, height: 600, channels: 1 } })
      .png()
      .toBuffer();
  const blots = sharp(await noise(128, 250))
    .blur(5)
    .threshold(128)
    .png()
    .toBuffer();
  return {
    'paper with grain': await pageOf(await noise(230, 40)),
    'strong noise': await pageOf(await noise(128, 250)),
    'a photograph, or what looks like one': await pageOf(
      await sharp(await noise(128, 250))
        .blur(20)
        .png()
        .toBuffer(),
    ),
    'black and white blots': await pageOf(await blots),
    'punch holes, a bent corner and a fold': await drawing(
      900,
      900,
      '<circle cx="60" cy="300" r="35"/><circle cx="60" cy="600" r="35"/><path d="M0 0H80L0 90z"/><path d="M0 450H900" stroke="#888"/>',
    ),
    'an empty table': await drawing(
      900,
      700,
      `<path d="${[1, 2, 3, 4, 5, 6].map(i => `M50 ${i * 100}H850M${i * 130} 100V600`).join('')}" stroke="#000" stroke-width="3"/>`,
    ),
    'a signature': await drawing(
      900,
      500,
      '<path d="M150 300q60-160 120 0t100 0t90-30q40-100 80 40t200 20t90-60" fill="none" stroke="#1c3f94" stroke-width="7"/>',
    ),
    black: await drawing(500, 500, '<rect width="500" height="500"/>'),
  };
}

/** 800 x 600 pixels of grey noise, the same in every run (a linear congruential generator, Numerical Recipes). */
function grain(mean: number, spread: number): Uint8ClampedArray {
  let state = 1;
  return Uint8ClampedArray.from({ length: 800 * 600 }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return mean + (state / 2 ** 32 - 0.5) * spread;
  });
}
