/** All keys of the component, by where they work. */
import type { Words } from '../words/words.js';
import type { KeySentences } from './words/en.js';

export interface KeyGroup {
  /** Where they work. */
  readonly title: string;
  readonly rows: readonly KeyRow[];
}

export interface KeyRow {
  /** Each does it: names of keys that are pressed together, with blanks between them. */
  readonly keys: readonly string[];
  readonly text: string;
}

/** What differs by element and computer. */
export interface Offered {
  /** Cmd takes the place of Ctrl. */
  readonly isMac: boolean;
  readonly save: 'pdf' | 'images' | undefined;
  readonly isDone: boolean;
}

const row = (keys: string, text: string): KeyRow => ({ keys: keys.split(', '), text });

export function keyGroups(words: Words, own: KeySentences, { isMac, save, isDone }: Offered): readonly KeyGroup[] {
  const command = isMac ? '⌘' : 'Control';
  return [
    {
      title: own['keys.anywhere'],
      rows: [
        row(`${command} Enter`, words('scan.scan')),
        ...(save ? [row(`${command} S`, words(`save.${save}`))] : []),
        ...(isDone ? [row(`${command} Shift Enter`, words('done.done'))] : []),
        row(`${command} Z`, words('dialog.undo')),
        row(`${command} Y, ${command} Shift Z`, words('dialog.redo')),
        row(`${command} /, ?`, own['keys.title']),
      ],
    },
    {
      title: own['keys.thumbnail'],
      rows: [
        row('←, →, Home, End', own['keys.select']),
        row('Shift ←, Shift →, Shift Home, Shift End', own['keys.mark-to']),
        row('Control Space', own['keys.mark']),
        row(`${command} A`, own['keys.mark-all']),
        row('Escape', words('pages.unmark')),
        row('Alt ←, Alt →, Alt Home, Alt End', own['keys.move']),
        row('R', words('pages.turn-right')),
        row('Shift R', words('pages.turn-left')),
        row('Delete', words('pages.remove')),
      ],
    },
    {
      title: words('viewer.label'),
      rows: [
        row('PageUp', words('viewer.previous')),
        row('PageDown', words('viewer.next')),
        row('+', words('viewer.larger')),
        row('-', words('viewer.smaller')),
        row('0', words('viewer.fit')),
        row('1', words.number(1, { style: 'percent' })),
        row('R', words('pages.turn-right')),
        row('Shift R', words('pages.turn-left')),
        row('Escape', words('viewer.close')),
      ],
    },
    {
      title: words('preview.title'),
      rows: [
        row('Arrows', own['keys.move-area']),
        row('Shift Arrows', own['keys.size-area']),
        row('Escape', words('preview.close')),
      ],
    },
  ];
}
