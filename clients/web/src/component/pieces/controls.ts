/** Controls of settings, each with its label and hint. They tell a value when the person has entered it. */
import { html, nothing, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';

export interface ControlOptions<T> {
  /** Unique in the component. */
  readonly id: string;
  readonly label: string;
  readonly value: T;
  readonly hint?: string | undefined;
  onChange(value: T): void;
}

export interface Choice<T> {
  readonly value: T;
  readonly text: string;
}

export type Drawn = TemplateResult | typeof nothing;
export const isDrawn = (each: Drawn): each is TemplateResult => each !== nothing;

const hintId = (id: string): string => `${id}-hint`;
const describedBy = (id: string, hint: string | undefined): string | typeof nothing => (hint ? hintId(id) : nothing);
const hintOf = (id: string, hint: string | undefined): Drawn =>
  hint ? html`<p class="hint" id=${hintId(id)}>${hint}</p>` : nothing;

const field = (id: string, label: string, control: TemplateResult, hint?: string): TemplateResult =>
  html`<div class="field"><label for=${id}>${label}</label>${control}${hintOf(id, hint)}</div>`;

/** One of some values, in a menu. */
export function choice<T>(
  choices: readonly Choice<T>[],
  { id, label, value, hint, onChange }: ControlOptions<T>,
): TemplateResult {
  const onSelect = ({ currentTarget }: Event): void => {
    const chosen = choices[(currentTarget as HTMLSelectElement).selectedIndex];
    if (chosen) onChange(chosen.value);
  };
  const options = choices.map(
    each =>
      // `textContent`: the text alone, without the template's white space.
      html`<option
        value=${String(each.value ?? '')}
        .textContent=${each.text}
        .selected=${live(each.value === value)}
      ></option>`,
  );
  const select = html`<select id=${id} aria-describedby=${describedBy(id, hint)} @change=${onSelect}>
    ${options}
  </select>`;
  return field(id, label, select, hint);
}

/** One of a few short values, side by side. */
export function segments<T extends string>(
  choices: readonly Choice<T>[],
  { id, label, value, onChange }: ControlOptions<T>,
): TemplateResult {
  const segment = (each: Choice<T>): TemplateResult =>
    html`<label
      ><input
        type="radio"
        name=${id}
        value=${each.value}
        .checked=${live(each.value === value)}
        @change=${() => onChange(each.value)}
      /><span>${each.text}</span></label
    >`;
  return html`<div class="field">
    <span class="label" id=${id}>${label}</span>
    <div class="segments" role="radiogroup" aria-labelledby=${id}>${choices.map(segment)}</div>
  </div>`;
}

/** @param off it cannot be switched on */
export function switchControl(
  { id, label, value, hint, onChange }: ControlOptions<boolean>,
  off = false,
): TemplateResult {
  return html`<div class="switch">
    <label for=${id}>${label}</label>
    <input
      type="checkbox"
      role="switch"
      id=${id}
      aria-describedby=${describedBy(id, hint)}
      .checked=${live(value && !off)}
      ?disabled=${off}
      @change=${({ currentTarget }: Event) => onChange((currentTarget as HTMLInputElement).checked)}
    />
    ${hintOf(id, hint)}
  </div>`;
}

export interface NumberOptions extends ControlOptions<number | undefined> {
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
  /** Absent: whole numbers. */
  readonly step?: number | 'any' | undefined;
  /** The value of an empty field. */
  readonly empty?: number | undefined;
  readonly placeholder?: string | undefined;
  /** The nearest value that is taken; absent: what is beyond a limit becomes the limit. */
  fit?(value: number): number;
}

export function numberField(options: NumberOptions): TemplateResult {
  const { id, label, value, hint, onChange, step = 1, empty, placeholder } = options;
  const { minimum = -Infinity, maximum = Infinity } = options;
  const { fit = (given: number) => Math.min(maximum, Math.max(minimum, given)) } = options;
  const onEntered = ({ currentTarget }: Event): void => {
    const input = currentTarget as HTMLInputElement;
    const given = input.valueAsNumber;
    const isTaken = step === 1 ? Number.isInteger(given) : Number.isFinite(given);
    const entered = isTaken ? fit(given) : empty;
    // The field shows exactly the value that is scanned with.
    input.value = String(entered ?? '');
    onChange(entered);
  };
  const limit = (most: number): number | typeof nothing => (Number.isFinite(most) ? most : nothing);
  const input = html`<input
    type="number"
    id=${id}
    min=${limit(minimum)}
    max=${limit(maximum)}
    step=${step}
    inputmode=${step === 1 ? 'numeric' : 'decimal'}
    ?required=${empty !== undefined}
    placeholder=${placeholder ?? nothing}
    aria-describedby=${describedBy(id, hint)}
    .value=${String(value ?? '')}
    @change=${onEntered}
  />`;
  return field(id, label, input, hint);
}

/** @param empty the value of an empty field */
export function textField(
  { id, label, value, hint, onChange }: ControlOptions<string | undefined>,
  empty?: string,
): TemplateResult {
  const onEntered = ({ currentTarget }: Event): void => {
    const input = currentTarget as HTMLInputElement;
    const entered = input.value || empty;
    input.value = entered ?? '';
    onChange(entered);
  };
  const input = html`<input
    type="text"
    id=${id}
    aria-describedby=${describedBy(id, hint)}
    .value=${value ?? ''}
    @change=${onEntered}
  />`;
  return field(id, label, input, hint);
}

export interface SliderOptions extends ControlOptions<number> {
  readonly minimum: number;
  readonly maximum: number;
  /** How its value is written. */
  written(value: number): string;
}

export function slider(options: SliderOptions): TemplateResult {
  const { id, label, value, minimum, maximum, written, onChange } = options;
  const onMove = ({ currentTarget }: Event): void => {
    const input = currentTarget as HTMLInputElement;
    const output = input.parentElement?.querySelector('output');
    if (output) output.value = written(input.valueAsNumber);
  };
  return html`<div class="field slider">
    <label for=${id}>${label}</label>
    <output for=${id} .value=${written(value)}></output>
    <input
      type="range"
      id=${id}
      min=${minimum}
      max=${maximum}
      .value=${String(value)}
      @input=${onMove}
      @change=${({ currentTarget }: Event) => onChange((currentTarget as HTMLInputElement).valueAsNumber)}
    />
  </div>`;
}

/** Controls under a heading; nothing without any. */
export const group = (title: string, controls: readonly Drawn[]): Drawn =>
  !controls.some(isDrawn)
    ? nothing
    : html`<div class="group" role="group" aria-label=${title}>
        <h3>${title}</h3>
        ${controls}
      </div>`;

export interface FoldOptions {
  /** Beside the heading, while it is folded. */
  readonly digest?: string;
  /** Unfolds it when it becomes true. */
  readonly opens?: boolean;
}

/** Controls behind a heading, at first not shown; nothing without any. */
export function fold(title: string, controls: readonly Drawn[], { digest, opens = false }: FoldOptions = {}): Drawn {
  if (!controls.some(isDrawn)) return nothing;
  return html`<details class="more" ?open=${opens}>
    <summary>${title}${digest === undefined ? nothing : html`<span class="digest">${digest}</span>`}</summary>
    <div class="controls">${controls}</div>
  </details>`;
}
