/** The memory of both ends while a stack of large pages crosses the channel. */
import { readFile } from 'node:fs/promises';
import t from 'tap';
import { scan } from '../spec/calls.js';
import { untilConnected } from '../spec/desktopCalls.js';
import { sheets } from '../topology/sheets.js';
import { createInstallation } from './installation.js';

const PAGES = 30;
const PAGE_BYTES = 2550 * 3300 * 3;
/** Pages that an end may hold, including those not yet freed by the garbage collector. */
const FEW = 20;

/** A process's peak memory, in bytes. */
async function peakOf(pid: number): Promise<number> {
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
}

t.test(
  'memory: 30 pages of 25 MB cross the channel, neither end grows by 20 of them',
  { skip: process.platform !== 'linux' && 'the peak of a process is read from /proc' },
  async t => {
    const { service, host } = await createInstallation(t);
    const [fixture, program] = await Promise.all([
      service({ config: { memory: { rawBytes: 2 * PAGE_BYTES } } }),
      host(),
    ]);
    await untilConnected(fixture);
    const page = { resolution: 300, colorMode: 'Color' };
    const stack = (count: number) => sheets(...Array.from({ length: count }, (_, at) => (at % 7) as 0));
    await fixture.load('duplex', stack(1));
    t.equal((await scan(fixture, 'duplex', page)).status, 200);
    const pids = [fixture.pid, program.pid];
    const before = await Promise.all(pids.map(peakOf));
    await fixture.load('duplex', stack(PAGES));
    const { status, json } = await scan(fixture, 'duplex', page);
    t.equal(status, 200, json.message);
    t.equal(json.imageCount, PAGES);
    t.match(json.images[0], { width: 2550, height: 3300 });
    const grown = (await Promise.all(pids.map(peakOf))).map((peak, at) => peak - before[at]!);
    for (const [at, bytes] of grown.entries())
      t.ok(
        bytes < FEW * PAGE_BYTES,
        `${at === 0 ? 'the service' : 'the desktop application'} grew by ${Math.round(bytes / PAGE_BYTES)} of ${PAGES} pages`,
      );
  },
);
