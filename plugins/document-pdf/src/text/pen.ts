/** The state of a page's text (ISO 32000-1, 9.3): an operator is written where something changes, and not before. */

import type { Direction } from './lines.js';

/** In sizes of the font: a line that begins this near to the place where it would begin without a number begins there. */
const SAME_PLACE = 0.05;

/** `T` the western font, `U` the other one. */
export type FontName = 'T' | 'U';

export interface Line {
  /** Where it begins. */
  readonly x: number;
  readonly y: number;
  readonly goes: Direction;
}

export interface Letters {
  readonly size: number;
  /** Of their own width, in percent. */
  readonly stretch: number;
  /** Added to each space of the western font, before it is stretched. */
  readonly space: number;
}

export interface Pen {
  /** As they are set; those of the first line when nothing is set. */
  readonly letters: Letters | undefined;
  readonly fonts: ReadonlySet<FontName>;
  /** Begins a line; numbers are whole. */
  begin(line: Line, letters: Letters): void;
  font(name: FontName): void;
  /** For what follows in this line, in percent. */
  stretch(percent: number): void;
  /** Lifts what follows in this line above its baseline. */
  rise(above: number): void;
  /** @param string without brackets, escaped */
  show(string: string): void;
  /** Moves on, in thousandths of the size. */
  move(thousandths: number): void;
  end(): void;
  /** All operators so far, each line ending with a line feed. */
  written(): string;
}

/** Of the text matrix (9.4.2). */
const matrices: Readonly<Record<Direction, string>> = { right: '1 0 0 1', down: '0 -1 1 0' };

export function createPen(): Pen {
  const lines: string[] = [];
  const fonts = new Set<FontName>();
  let letters: Letters | undefined;
  let font: { readonly name: FontName; readonly size: number } | undefined;
  let at: Line = { x: 0, y: 0, goes: 'right' };
  let stretch = 100;
  let rise = 0;
  let pitch = 0;
  /** Of the line that is written: operators, and what the next `TJ` shows. */
  let operators: string[] = [];
  let shown: string[] = [];
  let string = '';

  const closeString = (): void => {
    if (string !== '') shown.push(`(${string})`);
    string = '';
  };
  const closeArray = (): void => {
    closeString();
    const [only] = shown;
    if (only !== undefined) operators.push(shown.length === 1 ? `${only}Tj` : `[${shown.join('')}]TJ`);
    shown = [];
  };

  function setStretch(percent: number): void {
    if (percent === stretch) return;
    closeArray();
    stretch = percent;
    operators.push(`${percent} Tz`);
  }

  function place({ x, y, goes }: Line, size: number): void {
    if (goes === 'right' && at.goes === 'right') {
      const near = (one: number, other: number): boolean => Math.abs(one - other) < SAME_PLACE * size;
      const next = { x: near(x, at.x) ? at.x : x, y: near(y, at.y + pitch) ? at.y + pitch : y };
      pitch = next.y - at.y;
      operators.push(`${next.x - at.x} ${pitch} Td`);
      at = { ...next, goes };
    } else {
      operators.push(`${matrices[goes]} ${x} ${y} Tm`);
      at = { x, y, goes };
      pitch = 0;
    }
  }

  function setRise(above: number): void {
    if (above === rise) return;
    closeArray();
    rise = above;
    operators.push(`${above} Ts`);
  }

  return {
    get letters() {
      return letters;
    },
    fonts,

    begin(line, next) {
      place(line, next.size);
      setRise(0);
      setStretch(next.stretch);
      if (next.space !== (letters?.space ?? 0)) operators.push(`${next.space} Tw`);
      letters = next;
    },

    stretch: setStretch,
    rise: setRise,

    font(name) {
      const size = letters?.size ?? 1;
      if (font?.name === name && font.size === size) return;
      closeArray();
      font = { name, size };
      fonts.add(name);
      operators.push(`/${name} ${size} Tf`);
    },

    show(more) {
      string += more;
    },

    move(thousandths) {
      if (thousandths === 0) return;
      closeString();
      shown.push(String(-thousandths));
    },

    end() {
      closeArray();
      lines.push(operators.join(' '));
      operators = [];
    },

    written: () => lines.map(each => `${each}\n`).join(''),
  };
}
