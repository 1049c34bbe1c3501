/** Buttons with an icon. */
import { html, nothing, type TemplateResult } from 'lit-html';
import { icon, type Icon } from './icon.js';

export interface ButtonOptions {
  readonly id?: string;
  readonly icon?: Icon;
  /** Such as `primary`, `ghost`, `danger`, `small`, `large`. */
  readonly class?: string;
  /** For `::part()`. */
  readonly part?: string;
  /** For screen readers, if the text alone is not enough. */
  readonly label?: string;
  /** Shows only the icon. */
  readonly square?: boolean;
  /** It cannot be pressed, and keeps the focus: `disabled` would lose it. */
  readonly off?: boolean;
  readonly pressed?: boolean;
  /** That press it, as `aria-keyshortcuts` takes them. */
  readonly keys?: string;
}

export function button(text: string, onPress: () => void, options: ButtonOptions = {}): TemplateResult {
  const { square = false, label, off = false, pressed } = options;
  const classes = [options.class, square && 'square'].filter(Boolean).join(' ');
  return html`<button
    type="button"
    id=${options.id ?? nothing}
    class=${classes || nothing}
    part=${options.part ?? nothing}
    aria-label=${label ?? nothing}
    aria-disabled=${off ? 'true' : nothing}
    aria-keyshortcuts=${options.keys ?? nothing}
    aria-pressed=${pressed === undefined ? nothing : String(pressed)}
    title=${square || (options.icon && label) ? (label ?? text) : nothing}
    @click=${() => off || onPress()}
  >
    ${options.icon ? icon(options.icon) : nothing}${square ? html`<span class="unseen">${text}</span>` : text}
  </button>`;
}
