/** The sentences of the list of keys beside the component's, in English, which has every key. */

export type KeySentences = Readonly<Record<keyof typeof en, string>>;
/** A key whose name is not what its keyboard event calls it, or differs by language. */
export type KeyName = Extract<keyof typeof en, `key.${string}`>;
export const en = {
  'keys.title': 'Keyboard shortcuts',
  'keys.or': 'or',
  'keys.anywhere': 'Anywhere but in a text field that uses the key',
  'keys.thumbnail': 'On a thumbnail',
  'keys.select': 'Select another page',
  'keys.mark-to': 'Mark the pages up to there',
  'keys.mark': 'Mark or unmark the page',
  'keys.mark-all': 'Mark all pages',
  'keys.move': 'Move the page, or all that are marked',
  'keys.move-area': 'Move the area',
  'keys.size-area': 'Change the size of the area',
  'key.Control': 'Ctrl',
  'key.Shift': 'Shift',
  'key.Enter': 'Enter',
  'key.Escape': 'Esc',
  'key.Home': 'Home',
  'key.End': 'End',
  'key.Arrows': 'Arrow keys',
  'key.Space': 'Space',
  'key.Delete': 'Delete',
  'key.PageUp': 'Page Up',
  'key.PageDown': 'Page Down',
} as const;
