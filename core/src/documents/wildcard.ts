/** Patterns in which `*` stands for any characters, none included; every other character stands for itself. */

/** @returns the text of each `*`, in order, or undefined if the whole text does not match */
export type Wildcard = (text: string) => readonly string[] | undefined;

/** Each part is looked for once, from left to right: no pattern makes it try again. */
export function wildcard(pattern: string): Wildcard {
  const [first = '', ...middle] = pattern.split('*');
  const last = middle.pop();
  return text => {
    if (last === undefined) return text === pattern ? [] : undefined;
    const end = text.length - last.length;
    if (!text.startsWith(first) || !text.endsWith(last) || first.length > end) return undefined;
    const parts: string[] = [];
    let from = first.length;
    for (const part of middle) {
      const at = text.indexOf(part, from);
      if (at < 0 || at + part.length > end) return undefined;
      parts.push(text.slice(from, at));
      from = at + part.length;
    }
    return [...parts, text.slice(from, end)];
  };
}
