/** An area of the flatbed within its limits, in millimetres. */
import type { Area, SourceDetails } from '../../client/shapes.js';

export type AreaLimits = NonNullable<SourceDetails['area']>;

/** A scanner without a smallest area gets one that a person can still see, in mm. */
const LEAST_MM = 1;

export const least = ({ minWidth = LEAST_MM, minHeight = LEAST_MM }: AreaLimits) => ({
  width: minWidth,
  height: minHeight,
});

export const wholeOf = ({ width, height }: AreaLimits): Area => ({ x: 0, y: 0, width, height });

export const within = (value: number, low: number, high: number): number => Math.max(low, Math.min(high, value));
/** To a tenth of a millimetre, towards 0, so that nothing grows beyond a limit. */
const tenths = (mm: number): number => Math.floor(mm * 10 + 1e-6) / 10;

/** The nearest area within the limits. */
export function fitted({ x, y, width, height }: Area, limits: AreaLimits): Area {
  const { width: minWidth, height: minHeight } = least(limits);
  const [left, top] = [within(x, 0, limits.width - minWidth), within(y, 0, limits.height - minHeight)].map(tenths) as [
    number,
    number,
  ];
  return {
    x: left,
    y: top,
    width: tenths(within(width, minWidth, limits.width - left)),
    height: tenths(within(height, minHeight, limits.height - top)),
  };
}
