/**
 * The shipped installation on a computer whose SANE finds network scanners too, through Debian's `escl` backend and
 * sane-airscan, both by avahi. Prints as JSON what SANE lists, what Platen lists, and a scan of the whole feeder.
 */
import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ScanJson } from '../spec/calls.js';
import { startAvahi } from '../topology/avahi.js';
import { platen } from '../topology/platen.js';
import { drawSide } from '../topology/sheets.js';
import { NETWORK, shippedConfig, startShipped } from './startShipped.js';

export interface BackendsVisit {
  /** Names of SANE's devices, without the address. */
  readonly sane: readonly string[];
  /** Lines of `platen scan --list`. */
  readonly listed: readonly string[];
  readonly status: number;
  readonly pages: number;
}

const SHEETS = 3;

const avahi = await startAvahi();
const fixture = await startShipped(shippedConfig, {
  env: avahi.env,
  // Debian's backend lists no scanner without a flatbed.
  device: { flatbed: true },
  async prepare(_dataDir, folder) {
    // libsane asks the last one first, as with Debian's own configuration.
    await writeFile(join(folder, 'dll.conf'), 'airscan\nescl\n');
    for (const file of ['airscan.conf', 'escl.conf']) await cp(join('/etc/sane.d', file), join(folder, file));
  },
});
const dataDir = await mkdtemp(join(tmpdir(), 'platen-list-'));
try {
  const env = { ...avahi.env, SANE_CONFIG_DIR: fixture.saneConfigDir };
  const { stdout } = await promisify(execFile)('scanimage', ['-f', '%d%n'], { env: { ...process.env, ...env } });
  // Waits until each driver has found what it finds.
  const { out } = await platen(['scan', '--list', '--config', shippedConfig], {
    env: { ...env, PLATEN_DATA_DIR: dataDir },
  }).ended;
  const sheet = { front: await drawSide(1, 'A4') };
  await fixture.device.insert(Array.from({ length: SHEETS }, () => sheet));
  const { status, json } = await fixture.post('/api/twain/scan', {
    scannerName: NETWORK,
    parameters: { resolution: 75, source: 'Feeder', imageFormat: 'Jpeg', pageSize: 'A4' },
  });
  const lines = (text: string) => text.split('\n').filter(line => line !== '');
  const visit: BackendsVisit = {
    sane: lines(stdout).map(name => name.replace(/(:\/\/|:e).*/, '')),
    listed: lines(out),
    status,
    pages: (json as ScanJson).imageCount,
  };
  console.log(JSON.stringify(visit));
} finally {
  await fixture.stop();
  await avahi.stop();
  await rm(dataDir, { recursive: true, force: true });
}
