/** Controls as people type them. Text that cannot be read is left as it is, for the schema to reject. */
import { InvalidValue } from '@platen/core';

export function integerOf(text: string): unknown {
  return /^-?\d+$/.test(text) ? Number(text) : text;
}

/** `10,20,100x50`: x, y, width and height. @throws `InvalidValue` */
export function areaOf(text: string): unknown {
  const number = String.raw`\s*(\d+(?:\.\d+)?)\s*`;
  const [, x, y, width, height] = new RegExp(`^${number},${number},${number}x${number}$`, 'i').exec(text) ?? [];
  if (height === undefined) throw new InvalidValue('area', 'X,Y,WIDTHxHEIGHT in millimetres, such as 10,20,100x50');
  return { x: Number(x), y: Number(y), width: Number(width), height: Number(height) };
}

/**
 * `NAME=VALUE`. A value is a number or true or false if it looks like one, else text; in quotation marks it is always
 * text.
 * @throws `InvalidValue`
 */
export function optionOf(text: string): unknown {
  const at = text.indexOf('=');
  if (at < 1) throw new InvalidValue('driverOptions', 'NAME=VALUE, such as backing=black');
  return Object.fromEntries([[text.slice(0, at), valueOf(text.slice(at + 1))]]);
}

function valueOf(text: string): string | number | boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : text;
  } catch {
    return text;
  }
}
