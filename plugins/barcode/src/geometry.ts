/** Geometry on a page, in pixels: points, axis-aligned boxes, and regions, which are rotated rectangles. */

export type Point = readonly [x: number, y: number];

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** A rotated rectangle of the page that is decoded on its own, enlarged by `scale`. */
export interface Region {
  readonly centre: Point;
  /** Radians, clockwise. */
  readonly angle: number;
  /** Page pixels along the angle. */
  readonly length: number;
  /** Page pixels across the angle. */
  readonly breadth: number;
  readonly scale: number;
}

/** The bounding box of the points. */
export function boxOf(points: readonly Point[]): Box {
  const xs = points.map(([x]) => x);
  const ys = points.map(([, y]) => y);
  return { left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) };
}

/** The box with a margin on each side, as a region that is not rotated. */
export function regionOf({ left, top, right, bottom }: Box, margin: number, scale = 1): Region {
  const centre = [(left + right) / 2, (top + bottom) / 2] as const;
  return { centre, angle: 0, length: right - left + 2 * margin, breadth: bottom - top + 2 * margin, scale };
}

/** The box of a region that is not rotated. */
export function boxOfRegion({ centre: [x, y], length, breadth }: Region): Box {
  return { left: x - length / 2, top: y - breadth / 2, right: x + length / 2, bottom: y + breadth / 2 };
}

/** The size of the region's own image, in pixels. */
export function sizeOf({ length, breadth, scale }: Region): { width: number; height: number } {
  return { width: Math.max(1, Math.round(length * scale)), height: Math.max(1, Math.round(breadth * scale)) };
}

/** A point of the region's own image as a point of the page. */
export function toPage(region: Region, [x, y]: Point): Point {
  const { width, height } = sizeOf(region);
  const along = (x - width / 2) / region.scale;
  const across = (y - height / 2) / region.scale;
  const [cos, sin] = [Math.cos(region.angle), Math.sin(region.angle)];
  return [region.centre[0] + along * cos - across * sin, region.centre[1] + along * sin + across * cos];
}

export function contains({ left, top, right, bottom }: Box, [x, y]: Point): boolean {
  return x >= left && x <= right && y >= top && y <= bottom;
}

function centreOf({ left, top, right, bottom }: Box): Point {
  return [(left + right) / 2, (top + bottom) / 2];
}

/** Whether two boxes are the same place: the centre of one lies in the other. */
export function coincide(a: Box, b: Box): boolean {
  return contains(a, centreOf(b)) || contains(b, centreOf(a));
}

export function expanded({ left, top, right, bottom }: Box, by: number): Box {
  return { left: left - by, top: top - by, right: right + by, bottom: bottom + by };
}

/** The bounding box of both. */
export function union(a: Box, b: Box): Box {
  return {
    left: Math.min(a.left, b.left),
    top: Math.min(a.top, b.top),
    right: Math.max(a.right, b.right),
    bottom: Math.max(a.bottom, b.bottom),
  };
}

export function area({ left, top, right, bottom }: Box): number {
  return (right - left) * (bottom - top);
}
