/** Tesseract's TSV of a page as lines of words, in its reading order. */

export interface Word {
  readonly text: string;
  /** 0 to 100. */
  readonly confidence: number;
  /** In pixels, from the page's left and top edge. */
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export interface Line {
  /** Tesseract's numbers of block and paragraph: equal within what it takes for one paragraph. */
  readonly paragraph: string;
  readonly words: readonly Word[];
}

/** Columns of the TSV. */
const [LEVEL, BLOCK, PARAGRAPH, LINE, LEFT, TOP, WIDTH, HEIGHT, CONFIDENCE, TEXT] = [0, 2, 3, 4, 6, 7, 8, 9, 10, 11];
const WORD_LEVEL = '5';

export function parseTsv(tsv: string): Line[] {
  const lines: { paragraph: string; line: string; words: Word[] }[] = [];
  for (const row of tsv.split('\n')) {
    const cells = row.split('\t');
    const text = cells.slice(TEXT).join(' ').trim();
    // Images and rules are words without text.
    if (cells[LEVEL] !== WORD_LEVEL || text === '') continue;
    const paragraph = `${cells[BLOCK]}.${cells[PARAGRAPH]}`;
    const line = `${paragraph}.${cells[LINE]}`;
    const [left, top] = [Number(cells[LEFT]), Number(cells[TOP])];
    const [right, bottom] = [left + Number(cells[WIDTH]), top + Number(cells[HEIGHT])];
    const word = { text, confidence: Number(cells[CONFIDENCE]), left, top, right, bottom };
    const last = lines.at(-1);
    if (last?.line === line) last.words.push(word);
    else lines.push({ paragraph, line, words: [word] });
  }
  return lines;
}
