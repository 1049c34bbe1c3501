/** Certificates for fixtures: made once for a test run by the real command, and copied. */
import { existsSync, rmSync } from 'node:fs';
import { cp, mkdtemp, rename } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runFolder } from './runFolder.js';
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

/** @returns a folder with it; of the run, if a runner gives it one, otherwise of this process */
async function make(daysAgo: number): Promise<string> {
  const ofRun = process.env[runFolder];
  const shared = ofRun === undefined ? undefined : join(ofRun, `certificate-${daysAgo}`);
  if (shared !== undefined && existsSync(shared)) return shared;
  const dir = await mkdtemp(join(ofRun ?? tmpdir(), 'platen-certificate-'));
  if (shared === undefined) process.on('exit', () => rmSync(dir, { recursive: true, force: true }));
  const node = daysAgo === 0 ? [] : ['--import', clockShiftedBy(-daysAgo)];
  const { code, log } = await platen(['cert', 'install', '--no-trust'], { env: { PLATEN_DATA_DIR: dir }, node }).ended;
  if (code !== 0) throw new Error(`platen cert install ended with ${code}: ${log}`);
  if (shared === undefined) return dir;
  try {
    await rename(dir, shared);
  } catch (error) {
    // Another process was first.
    if (!existsSync(shared)) throw error;
  }
  return shared;
}

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
