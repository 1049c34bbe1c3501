/** Places on a page: points, upright boxes, and pieces that lie at an angle. */

export type Point = readonly [x: number, y: number];

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** A rectangle of the page that is looked at by itself: turned by `angle` (radians, clockwise), `scale` times as large. */
export interface Piece {
  readonly centre: Point;
  readonly angle: number;
  /** On the page, along the angle and across it. */
  readonly length: number;
  readonly breadth: number;
  readonly scale: number;
}

export function boxOf(points: readonly Point[]): Box {
  const xs = points.map(([x]) => x);
  const ys = points.map(([, y]) => y);
  return { left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) };
}

export function pieceOf({ left, top, right, bottom }: Box, margin: number, scale = 1): Piece {
  return { centre: [(left + right) / 2, (top + bottom) / 2], angle: 0, length: right - left + 2 * margin, breadth: bottom - top + 2 * margin, scale };
}

/** Of a piece that is not turned. */
export function uprightBox({ centre: [x, y], length, breadth }: Piece): Box {
  return { left: x - length / 2, top: y - breadth / 2, right: x + length / 2, bottom: y + breadth / 2 };
}

export function sizeOf({ length, breadth, scale }: Piece): { width: number; height: number } {
  return { width: Math.max(1, Math.round(length * scale)), height: Math.max(1, Math.round(breadth * scale)) };
}

/** Where on the page a point of the piece lies. */
export function onPage(piece: Piece, [x, y]: Point): Point {
  const { width, height } = sizeOf(piece);
  const along = (x - width / 2) / piece.scale;
  const across = (y - height / 2) / piece.scale;
  const [cos, sin] = [Math.cos(piece.angle), Math.sin(piece.angle)];
  return [piece.centre[0] + along * cos - across * sin, piece.centre[1] + along * sin + across * cos];
}

export function holds({ left, top, right, bottom }: Box, [x, y]: Point): boolean {
  return x >= left && x <= right && y >= top && y <= bottom;
}

/** Whether all of `inner` lies in `outer`. */
export function within(inner: Box, outer: Box): boolean {
  return holds(outer, [inner.left, inner.top]) && holds(outer, [inner.right, inner.bottom]);
}

function middleOf({ left, top, right, bottom }: Box): Point {
  return [(left + right) / 2, (top + bottom) / 2];
}

/** The same place, seen twice: the middle of one lies in the other. */
export function meet(a: Box, b: Box): boolean {
  return holds(a, middleOf(b)) || holds(b, middleOf(a));
}

export function grown({ left, top, right, bottom }: Box, by: number): Box {
  return { left: left - by, top: top - by, right: right + by, bottom: bottom + by };
}

/** The box of both. */
export function around(a: Box, b: Box): Box {
  return { left: Math.min(a.left, b.left), top: Math.min(a.top, b.top), right: Math.max(a.right, b.right), bottom: Math.max(a.bottom, b.bottom) };
}

export function overlap(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

export function area({ left, top, right, bottom }: Box): number {
  return (right - left) * (bottom - top);
}
