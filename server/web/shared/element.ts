/** Elements of the service's pages. Their content is text or other elements, never markup. */

export type Child = Node | string | number | undefined | false | readonly Child[];
type Attribute = string | number | boolean | undefined;

/** @param attributes true sets an empty attribute; false and undefined set none */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, Attribute>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    made.setAttribute(name, value === true ? '' : String(value));
  }
  fill(made, ...children);
  return made;
}

/** Replaces the content. */
export function fill(parent: Element, ...children: readonly Child[]): void {
  parent.replaceChildren(...nodesOf(children));
}

function nodesOf(children: readonly Child[]): (Node | string)[] {
  return children.flatMap(child => {
    if (child === undefined || child === false) return [];
    if (child instanceof Node) return [child];
    return typeof child === 'object' ? nodesOf(child) : [String(child)];
  });
}

/** An element of the page, by its id. */
export function byId<T extends HTMLElement>(id: string, type: new () => T): T {
  const found = document.getElementById(id);
  if (found instanceof type) return found;
  throw new Error(`The page has no ${type.name} "${id}".`);
}

const SVG = 'http://www.w3.org/2000/svg';

/** One of the page's icons, hidden from screen readers. */
export function icon(name: string): SVGElement {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('class', 'icon');
  svg.setAttribute('aria-hidden', 'true');
  const use = document.createElementNS(SVG, 'use');
  use.setAttribute('href', `#icon-${name}`);
  svg.append(use);
  return svg;
}

export interface ButtonOptions {
  readonly icon?: string;
  readonly class?: string;
  /** For screen readers, if the text alone is not enough. */
  readonly label?: string;
  /** Shows only the icon. */
  readonly square?: boolean;
}

export function button(text: string, onPress: () => void, options: ButtonOptions = {}): HTMLButtonElement {
  const { square = false, label } = options;
  const made = element(
    'button',
    {
      type: 'button',
      class: [options.class, square && 'square'].filter(Boolean).join(' ') || undefined,
      'aria-label': label,
      title: square ? (label ?? text) : undefined,
    },
    options.icon !== undefined && icon(options.icon),
    square ? element('span', { class: 'unseen' }, text) : text,
  );
  made.addEventListener('click', onPress);
  return made;
}
