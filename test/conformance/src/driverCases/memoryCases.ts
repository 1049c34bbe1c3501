/** Memory and descriptors over many pages. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { heldBytes } from './processMemory.js';
import { onSession, type DriverCase, type Trial } from './trial.js';

const PAGES = 200;
/** Sheets of each scan. */
const LOT = 5;
/** After these pages it is measured. What is made once is there after the first of them; a leak grows after the second too. */
const MEASURED_AT = [40, 120, PAGES] as const;
/** Of an interval of 80 pages: a quarter of their bytes, or this. */
const LEAST_BYTES = 400_000;
/** Of an interval of 16 scans. */
const DESCRIPTORS = 10;

interface Measured {
  readonly bytes: number;
  /** Undefined where there is no /proc. */
  readonly descriptors: number | undefined;
}

export const memoryCases: readonly DriverCase[] = [
  {
    id: 'memory-does-not-grow',
    title: `over ${PAGES} pages neither memory nor open files grow`,
    alone: true,
    untried: ({ pages = PAGES }) =>
      pages >= PAGES ? undefined : `the rig can load ${pages} sheets, the case needs ${PAGES}`,
    run: onSession(async trial => {
      const measured: Measured[] = [];
      let bytes = 0;
      for (let pages = 0; pages < PAGES; pages += LOT) {
        bytes = Math.max(bytes, await scanLot(trial));
        if (MEASURED_AT.some(at => at === pages + LOT)) measured.push(await measure());
      }
      const [first, second, last] = measured as [Measured, Measured, Measured];
      const interval = MEASURED_AT[1] - MEASURED_AT[0];
      const allowed = Math.max(LEAST_BYTES, (interval * bytes) / 4);
      const grown = [second.bytes - first.bytes, last.bytes - second.bytes] as const;
      // A leak grows in both intervals; a cache that fills up grows in one.
      assert.ok(
        Math.min(...grown) <= allowed,
        `memory grew by ${grown.join(' and then by ')} bytes in ${interval} pages of ${bytes} bytes: is each page kept?`,
      );
      const opened = [descriptorsSince(first, second), descriptorsSince(second, last)];
      assert.ok(
        Math.min(...opened) < DESCRIPTORS,
        `${opened.join(' and then ')} more files and sockets were open after ${interval} pages in ${interval / LOT} scans`,
      );
      const perPage = Math.max(0, last.bytes - first.bytes) / (PAGES - MEASURED_AT[0]);
      return { 'kB of memory kept for each page': Math.round(perPage / 100) / 10 };
    }),
  },
];

/** @returns the bytes of the largest page */
async function scanLot(trial: Trial): Promise<number> {
  const { feeder } = trial.features;
  if (feeder) await trial.rig.load(LOT);
  let bytes = 0;
  for (let page = 0; page < LOT;) {
    const pages = await trial.scan().rest();
    assert.ok(pages.length > 0, `${LOT} sheets were loaded, but after ${page} of them no page came`);
    page += pages.length;
    bytes = Math.max(bytes, ...pages.map(each => each.data.length));
  }
  return bytes;
}

async function measure(): Promise<Measured> {
  return { bytes: await heldBytes(), descriptors: descriptors() };
}

function descriptors(): number | undefined {
  try {
    return readdirSync('/proc/self/fd').length;
  } catch {
    return undefined;
  }
}

const descriptorsSince = (before: Measured, after: Measured) => (after.descriptors ?? 0) - (before.descriptors ?? 0);
