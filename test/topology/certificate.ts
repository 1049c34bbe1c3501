/** Certificates for fixtures: made once for a test run by the real command, and copied. */
import { cp } from 'node:fs/promises';
import { fileOfRun } from './runFolder.js';
import { platen } from './platen.js';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Its age in days; certificates are valid for 824. */
const ages = { valid: 0, expiring: 810, expired: 900 } as const;

const made = new Map<string, Promise<string>>();

/** Puts a certificate into a data folder. */
export async function installCertificate(dataDir: string, kind: keyof typeof ages): Promise<void> {
  if (!made.has(kind)) made.set(kind, make(ages[kind]));
  await cp((await made.get(kind)) ?? '', dataDir, { recursive: true });
}

/** @returns a folder with it */
const make = (daysAgo: number): Promise<string> =>
  fileOfRun(`certificate-${daysAgo}`, async dir => {
    const node = daysAgo === 0 ? [] : ['--import', clockShiftedBy(-daysAgo)];
    const { code, log } = await platen(['cert', 'install', '--no-trust'], { env: { PLATEN_DATA_DIR: dir }, node })
      .ended;
    if (code !== 0) throw new Error(`platen cert install ended with ${code}: ${log}`);
  });

/** A module that changes a process's date. */
function clockShiftedBy(days: number): string {
  const source = `
    const Real = Date;
    const shift = ${days * DAY_MS};
    globalThis.Date = class extends Real {
      constructor(...given) { if (given.length) super(...given); else super(Real.now() + shift); }
      static now() { return Real.now() + shift; }
    };`;
  return `data:text/javascript,${encodeURIComponent(source)}`;
}
