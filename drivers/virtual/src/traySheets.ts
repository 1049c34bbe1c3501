/** The sheets among the files of a tray, in order, and which two files are the sides of one sheet. */

export interface TraySheet {
  /** File names. At least one of the two; a missing side is blank. */
  readonly front: string | undefined;
  readonly back: string | undefined;
}

/** Files that systems leave in folders of pictures, and unfinished downloads. */
const NOT_PAPER = /^(\.|thumbs\.db$|desktop\.ini$|~\$)|(\.part|\.crdownload|\.tmp|~)$/i;
const SIDE = /^(.+)\.(front|back)(?:\.[^.]*)?$/i;

/** page2 before page10, whatever the language of the system. */
const order = new Intl.Collator('en', { numeric: true });

/** @param files the names of the tray's regular files */
export function traySheets(files: readonly string[]): TraySheet[] {
  const sheets: { front: string | undefined; back: string | undefined }[] = [];
  const halves = new Map<string, (typeof sheets)[number]>();
  for (const file of files.filter(name => !NOT_PAPER.test(name)).sort(byName)) {
    const [, stem, word] = SIDE.exec(file) ?? [];
    const side = word?.toLowerCase() === 'back' ? 'back' : 'front';
    const known = stem === undefined ? undefined : halves.get(stem);
    if (known && known[side] === undefined) {
      known[side] = file;
      continue;
    }
    const sheet = { front: undefined, back: undefined, [side]: file };
    sheets.push(sheet);
    if (stem !== undefined) halves.set(stem, sheet);
  }
  return sheets;
}

function byName(a: string, b: string): number {
  return order.compare(a, b) || (a < b ? -1 : 1);
}
