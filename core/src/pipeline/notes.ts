/** What a person should know of a scan although it succeeds: programs read the code, people the text. */

/** `core/ERRORS.md` says when a scan, or the start of an auto-scan, carries each. */
export const noteCodes = [
  // The scan differs from what was requested.
  'adjustment-ignored',
  'backs-not-turned',
  'resolution-changed',
  'color-mode-changed',
  'one-side-only',
  'page-size-ignored',
  'page-size-changed',
  'format-unchanged',
  // Nothing here reads them.
  'barcodes-not-installed',
  'ocr-not-installed',
  // A step of software failed; the page is there all the same.
  'adjustment-failed',
  'barcodes-failed',
  'ocr-failed',
  // Of auto-scan, when it is enabled.
  'no-feeder',
  'paper-unknown',
  'pages-waiting',
] as const;
export type NoteCode = (typeof noteCodes)[number];

export interface ScanNote {
  readonly code: NoteCode;
  /** A sentence for a person. */
  readonly text: string;
  /** The parameter that it is about, by its name in the interface. */
  readonly field?: string;
  /** Where the text begins with the field's name: the rest of it, for people who know the field by another name. */
  readonly says?: string;
}

/** A note whose text begins with the field's name. @param says the rest of the sentence */
export function noteOnField(code: NoteCode, field: string, says: string): ScanNote {
  return { code, field, says, text: `${field} ${says}` };
}

export interface NoteList {
  /** Each text once, in the order in which they came. */
  readonly all: readonly ScanNote[];
  add(note: ScanNote): void;
  clear(): void;
}

export function createNoteList(): NoteList {
  const all: ScanNote[] = [];
  const texts = new Set<string>();
  return {
    all,
    add(note) {
      if (!texts.has(note.text)) all.push(note);
      texts.add(note.text);
    },
    clear() {
      all.length = 0;
      texts.clear();
    },
  };
}
