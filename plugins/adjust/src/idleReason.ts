/** What is known before a page goes to a thread, without the libraries that threads load. */
import type { ColorMode, Pixels, ProcessorTask, ProcessorWish } from '@platen/core/plugin';

/** From the most information to the least. */
const kinds: readonly Pixels[] = ['rgb24', 'gray8', 'bw1'];
const kindOf: Readonly<Record<ColorMode, Pixels>> = { Color: 'rgb24', Grayscale: 'gray8', BlackAndWhite: 'bw1' };

/** Why the page stays as it is; undefined if there is something to do. */
export function idleReason(
  task: ProcessorTask,
  { pixels }: { readonly pixels: Pixels },
  wish: ProcessorWish,
): string | undefined {
  if (task === 'color')
    return isReduction(wish.colorMode, pixels) ? undefined : `the page has no more colour than ${wish.colorMode}`;
  if (task !== 'area' && task !== 'brightness' && task !== 'contrast' && task !== 'threshold') return undefined;
  if (wish[task] === undefined) return `no ${task} was requested`;
  return pixels === 'bw1' && task !== 'area' ? 'the page is 1-bit already' : undefined;
}

/** Whether the colour mode has less information than the pixels: only then is there something to reduce. */
function isReduction(colorMode: ColorMode, pixels: Pixels): boolean {
  return kinds.indexOf(kindOf[colorMode]) > kinds.indexOf(pixels);
}
