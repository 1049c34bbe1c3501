/** A list of elements of which only those are drawn again that show something else: the others keep the focus. */

export interface Item {
  readonly key: string;
  /** What it shows; it is drawn again if this is another text. */
  readonly shows: string;
  draw(): HTMLElement;
}

/** @returns draws the items; true if an element that was there changed, moved or went */
export function keyedList(place: Element): (items: readonly Item[]) => boolean {
  let drawn = new Map<string, { readonly shows: string; readonly element: HTMLElement }>();
  return items => {
    const focused = place.contains(document.activeElement) ? (document.activeElement?.id ?? '') : '';
    const before = drawn;
    drawn = new Map(
      items.map(({ key, shows, draw }) => {
        const known = before.get(key);
        return [key, known?.shows === shows ? known : { shows, element: draw() }];
      }),
    );
    const elements = [...drawn.values()].map(({ element }) => element);
    const old = [...place.children];
    const changed = old.some((element, at) => element !== elements[at]);
    for (const element of old) if (!elements.includes(element as HTMLElement)) element.remove();
    for (const [at, element] of elements.entries())
      if (place.children[at] !== element) place.insertBefore(element, place.children[at] ?? null);
    if (focused !== '' && document.activeElement?.id !== focused) document.getElementById(focused)?.focus();
    return changed;
  };
}
