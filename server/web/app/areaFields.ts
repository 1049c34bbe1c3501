/** An area as four numbers in millimetres. */
import type { Area } from '../client.js';
import { fitted, wholeOf, type AreaLimits } from './areaGeometry.js';
import { element } from './element.js';

export interface AreaFields {
  readonly node: HTMLElement;
  /** @param area undefined: the whole page */
  show(area: Area | undefined): void;
}

const fields = [
  ['x', 'From the left'],
  ['y', 'From the top'],
  ['width', 'Width'],
  ['height', 'Height'],
] as const satisfies readonly (readonly [keyof Area, string])[];

let last = 0;

/** @param onChange with an area within the limits */
export function createAreaFields(limits: AreaLimits, onChange: (area: Area) => void): AreaFields {
  let shown: Area | undefined;
  const inputs = fields.map(([name, label]) => {
    const id = `area-${++last}`;
    const input = element('input', { type: 'number', id, min: 0, step: 'any', inputmode: 'decimal' });
    input.addEventListener('change', () => {
      const given = input.valueAsNumber;
      const before = shown ?? wholeOf(limits);
      onChange(fitted(Number.isFinite(given) ? { ...before, [name]: given } : before, limits));
    });
    return {
      name,
      input,
      node: element('div', { class: 'field' }, element('label', { for: id }, `${label}, mm`), input),
    };
  });
  const fieldsInStep: AreaFields = {
    node: element('div', { class: 'numbers' }, ...inputs.map(({ node }) => node)),
    show(area) {
      shown = area;
      for (const { name, input } of inputs) {
        input.value = area ? String(area[name]) : '';
        input.placeholder = String(wholeOf(limits)[name]);
      }
    },
  };
  fieldsInStep.show(undefined);
  return fieldsInStep;
}
