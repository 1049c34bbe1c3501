/** Remarks on a successful scan: programs read the code, people the text. */

/** `core/ERRORS.md` defines when a scan, or the start of an auto-scan, has each. */
export const noteCodes = [
  // A field of the request counts as absent.
  'field-ignored',
  // The scan differs from what was requested.
  'adjustment-ignored',
  'backs-not-turned',
  'resolution-changed',
  'color-mode-changed',
  'one-side-only',
  'page-size-ignored',
  'page-size-changed',
  'area-changed',
  'format-unchanged',
  // No plugin recognises them.
  'barcodes-not-installed',
  'ocr-not-installed',
  'blank-pages-not-installed',
  'recogniser-not-licensed',
  'processor-not-licensed',
  'format-not-licensed',
  // A software step failed; the page is kept.
  'adjustment-failed',
  'barcodes-failed',
  'ocr-failed',
  'blank-failed',
  'patch-failed',
  'processor-failed',
  'recogniser-failed',
  // When auto-scan is enabled.
  'no-feeder',
  'paper-unknown',
  'paper-by-trial',
  'pages-waiting',
] as const;
export type NoteCode = (typeof noteCodes)[number];

export interface ScanNote {
  readonly code: NoteCode;
  /** A sentence for people. */
  readonly text: string;
  /** The parameter concerned, by its name in the interface. */
  readonly field?: string;
  /** If the text begins with the field's name: the rest of it, for user interfaces with other names for the field. */
  readonly says?: string;
}

/** A note whose text begins with the field's name. @param says the rest of the sentence */
export function noteOnField(code: NoteCode, field: string, says: string): ScanNote {
  return { code, field, says, text: `${field} ${says}` };
}

export interface NoteList {
  /** Each text once, in order of first occurrence. */
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
