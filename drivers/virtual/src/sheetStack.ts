/** The sheets in a feeder or on the flatbed: the files of a tray, or the built-in documents. */
import { ScanError } from '@platen/core/plugin';
import { sample } from './samples.js';
import { InvalidImage, readImage, type SheetImage } from './sheetImage.js';
import type { Tray } from './tray.js';
import type { TraySheet } from './traySheets.js';

export type Side = 'front' | 'back';

export interface Sheet {
  /**
   * Reads a side. `blank`: it has no file; `gone`: the file was removed or written to just now.
   * @throws ScanError `driver-failed` for a file that is not an image; the file is moved to rejected/
   */
  image(side: Side): Promise<SheetImage | 'blank' | 'gone'>;
  /** The sheet has left the feeder. */
  eject(): Promise<void>;
  /** A side could not be decoded. Returns the error to throw. */
  refuse(side: Side, error: InvalidImage): Promise<ScanError>;
}

export interface SheetStack {
  /**
   * The sheet that is fed next; undefined when there is none. `later`: its file is still being written.
   * It stays in place until it is ejected or refused.
   */
  next(): Promise<Sheet | 'later' | undefined>;
}

/** How many of its built-in documents a feeder has fed. */
export interface SamplesFed {
  count: number;
}

/**
 * Built-in documents.
 * @param fed by earlier scans: what they left is fed first; after the last document, the first one again
 */
export function sampleStack(sheets: number, fed: SamplesFed = { count: 0 }): SheetStack {
  if (fed.count >= sheets) fed.count = 0;
  return {
    async next() {
      if (fed.count >= sheets) return undefined;
      const n = fed.count;
      return {
        image: async side => (side === 'front' ? sample(n) : 'blank'),
        eject: () => Promise.resolve(void fed.count++),
        refuse: (_, error) => Promise.resolve(new ScanError('driver-failed', `A built-in document ${error.message}.`)),
      };
    },
  };
}

/** The files of a tray. */
export function trayStack(tray: Tray, { consumed }: { consumed: boolean }): SheetStack {
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
        throw error instanceof InvalidImage ? await sheet.refuse(side, error) : error;
      }
    },
    async eject() {
      if (consumed) scanned = await tray.move(filesOf(names), 'scanned');
    },
    async refuse(side, error) {
      // Once the sheet has left the feeder, its other side was delivered: only the broken file is moved.
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
