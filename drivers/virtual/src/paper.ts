/** What lies in a feeder or on the glass, sheet by sheet: a tray's files or the built-in documents. */
import { ScanError } from '@platen/core/plugin';
import { sample } from './samples.js';
import { NoImage, readImage, type SheetImage } from './sheetImage.js';
import type { Tray } from './tray.js';
import type { TraySheet } from './traySheets.js';

export type Side = 'front' | 'back';

export interface Sheet {
  /**
   * Reads a side. `blank`: it has none; `gone`: the file was taken away, or written to, in this moment.
   * A file that is no image is moved out of the way and is `driver-failed`.
   */
  image(side: Side): Promise<SheetImage | 'blank' | 'gone'>;
  /** The sheet went through. */
  eject(): Promise<void>;
  /** A side turned out to be broken. Returns the error to throw. */
  refuse(side: Side, error: NoImage): Promise<ScanError>;
}

export interface Paper {
  /**
   * The sheet that would be fed next; undefined when there is none. `later`: it is still being written.
   * It stays where it is until it is ejected or refused.
   */
  next(): Promise<Sheet | 'later' | undefined>;
}

/** A stack of built-in documents. */
export function sampleStack(sheets: number, first = 0): Paper {
  let fed = 0;
  return {
    async next() {
      if (fed >= sheets) return undefined;
      const n = first + fed;
      return {
        image: async side => (side === 'front' ? sample(n) : 'blank'),
        eject: () => Promise.resolve(void fed++),
        refuse: (_, error) => Promise.resolve(new ScanError('driver-failed', `A built-in document ${error.message}.`)),
      };
    },
  };
}

/** The files of a tray. */
export function trayPaper(tray: Tray, { consumed }: { consumed: boolean }): Paper {
  return {
    async next() {
      const [first] = await tray.sheets();
      if (!first) return undefined;
      const settled = await Promise.all(filesOf(first).map(file => tray.settled(file)));
      return settled.every(Boolean) ? traySheet(tray, first, consumed) : 'later';
    },
  };
}

function traySheet(tray: Tray, names: TraySheet, consumed: boolean): Sheet {
  let scanned: string[] | undefined;
  const sheet: Sheet = {
    async image(side) {
      const file = names[side];
      if (file === undefined) return 'blank';
      try {
        const read = await tray.read(file);
        return read ? await readImage(read) : 'gone';
      } catch (error) {
        throw error instanceof NoImage ? await sheet.refuse(side, error) : error;
      }
    },
    async eject() {
      if (consumed) scanned = await tray.move(filesOf(names), 'scanned');
    },
    async refuse(side, error) {
      // Once the sheet went through, its other side has been delivered: only the broken file is set apart.
      if (scanned) await tray.move([scanned[filesOf(names).indexOf(names[side]!)]!], 'rejected', 'scanned');
      else await tray.move(filesOf(names), 'rejected');
      const what = `${names[side]} in the tray ${tray.path} ${error.message}`;
      return new ScanError('driver-failed', `${what}. It was moved to rejected/.`, { cause: error });
    },
  };
  return sheet;
}

function filesOf({ front, back }: TraySheet): string[] {
  return [front, back].filter(file => file !== undefined);
}
