/** Reads the area of an order. */
import type { Area } from '../contract/controls.js';
import { fieldsOf, measureOf, numberOf, type Fields } from './fields.js';

/** @throws TypeError unless it has a size, and begins on the page */
export function readArea(order: Fields, name: string): Area {
  const fields = fieldsOf(order[name], name);
  return {
    x: numberOf(fields, 'x', 0),
    y: numberOf(fields, 'y', 0),
    width: measureOf(fields, 'width'),
    height: measureOf(fields, 'height'),
  };
}
