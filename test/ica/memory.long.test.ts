/**
 * The memory of a batch of large pages from a Mac's feeder, which feeds ahead of requests, stays within
 * `memory.rawBytes`.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { scan } from '../spec/calls.js';
import { start } from '../spec/specTest.js';
import { icaTopology, needsIca } from '../topology/icaTopology.js';
import { sheets } from '../topology/sheets.js';

const PAGES = 10;
/** Letter, 600 dpi, colour. */
const PAGE_BYTES = 5098 * 6600 * 3;
const rawBytes = 4 * PAGE_BYTES;

/** A process's peak memory, in bytes. */
async function peakOf(pid: number): Promise<number> {
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
}

if (needsIca(t)) {
  t.test('ICA: ten pages of 600 dpi in colour, memory stays bounded', async t => {
    const prepare = (dataDir: string) => writeFile(join(dataDir, 'ica', 'duplex', 'resolutions'), '75 600');
    const fixture = await start(t, icaTopology, { config: { memory: { rawBytes } }, prepare });
    const page = { resolution: 600, colorMode: 'Color', imageFormat: 'Jpeg' };
    await fixture.load('duplex', sheets(1));
    t.equal((await scan(fixture, 'duplex', { ...page, resolution: 75 })).status, 200);
    const atRest = await peakOf(fixture.pid);
    await fixture.load('duplex', sheets(...Array.from({ length: PAGES }, (_, at) => (at % 7) as 0)));
    const { status, json } = await scan(fixture, 'duplex', page);
    t.equal(status, 200, json.message);
    t.equal(json.imageCount, PAGES);
    t.ok(json.images.every(({ width, height }) => width * height * 3 > 0.99 * PAGE_BYTES));
    const peak = await peakOf(fixture.pid);
    t.comment(
      `at rest ${Math.round(atRest / 1e6)} MB, at most ${Math.round(peak / 1e6)} MB, allowed ${Math.round((atRest + rawBytes) / 1e6)} MB`,
    );
    t.ok(peak <= atRest + rawBytes, `${Math.round(peak / 1e6)} MB`);
  });
}
