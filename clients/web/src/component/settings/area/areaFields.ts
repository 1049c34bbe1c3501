/** An area as four numbers in millimetres. */
import { html, type TemplateResult } from 'lit-html';
import type { Area } from '../../../client/shapes.js';
import { numberField } from '../../pieces/controls.js';
import type { Words } from '../../words/words.js';
import { fitted, wholeOf, type AreaLimits } from './area.js';

const names = ['x', 'y', 'width', 'height'] as const satisfies readonly (keyof Area)[];

export interface AreaFields {
  /** Begins their ids. */
  readonly id: string;
  /** At this moment; undefined: the whole page. */
  area(): Area | undefined;
  readonly limits: AreaLimits;
  /** With an area within the limits. */
  onChange(area: Area): void;
}

export function areaFields({ id, area: now, limits, onChange }: AreaFields, words: Words): TemplateResult {
  const whole = wholeOf(limits);
  const area = now();
  const withNumber = (name: keyof Area, mm: number): Area => fitted({ ...(now() ?? whole), [name]: mm }, limits);
  const fields = names.map(name =>
    numberField({
      id: `${id}-${name}`,
      label: words(`settings.area.${name}`),
      value: area?.[name],
      empty: area?.[name],
      placeholder: words.number(whole[name]),
      minimum: 0,
      step: 'any',
      fit: mm => withNumber(name, mm)[name],
      onChange: mm => mm !== undefined && onChange(withNumber(name, mm)),
    }),
  );
  return html`<div class="numbers">${fields}</div>`;
}
