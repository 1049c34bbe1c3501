/** Whether a colour mode takes something away from a page's pixels. */
import type { ColorMode, Pixels } from '@platen/core/plugin';

/** From the most information to the least. */
const kinds: readonly Pixels[] = ['rgb24', 'gray8', 'bw1'];
const kindOf: Readonly<Record<ColorMode, Pixels>> = { Color: 'rgb24', Grayscale: 'gray8', BlackAndWhite: 'bw1' };

/** Whether the colour mode has less information than the pixels: only then is there something to reduce. */
export function isReduction(colorMode: ColorMode, pixels: Pixels): boolean {
  return kinds.indexOf(kindOf[colorMode]) > kinds.indexOf(pixels);
}
