/** Responses of real devices, replayed: one file of `fixtures/replays` each, with the outcome that is expected. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { codeOf, messageOf, nullLog, type ScanOrder } from '@platen/core/plugin';
import t from 'tap';
import { esclDriver } from './driver.js';
import { quirkTable, quirksOf, standard } from './quirks.js';
import { optionsWith, quick } from './rig.test.kit.js';
import { startReplay, type Recording } from './testing/replay.js';

interface Row extends Recording {
  readonly expect: {
    readonly pages: number;
    readonly code?: string;
    /** How many jobs are created and deleted. */
    readonly begun?: number;
    readonly deleted?: number;
    /** In the settings of the first job. */
    readonly posted?: string;
    readonly resolutions?: readonly number[];
  };
}

const signal = new AbortController().signal;
const folder = new URL('../fixtures/replays/', import.meta.url);
const order: Omit<ScanOrder, 'source'> = {
  resolution: 75,
  colorMode: 'Grayscale',
  duplexMode: 'Simplex',
  pageSize: 'A6',
  adjustments: [],
  maxPixels: 50_000_000,
};

for (const file of (await readdir(folder)).filter(name => name.endsWith('.json'))) {
  const { expect, ...recording } = JSON.parse(await readFile(new URL(file, folder), 'utf8')) as Row;
  t.test(`${file}: ${recording.device} (${recording.from})`, async t => {
    const dataDir = await mkdtemp(join(tmpdir(), 'escl-'));
    const replay = await startReplay(recording, folder);
    const driver = esclDriver({
      options: optionsWith({ devices: [replay.url] }),
      log: nullLog,
      dataDir,
      deadlines: quick,
    });
    t.teardown(async () => {
      await driver.close();
      await replay.close();
      await rm(dataDir, { recursive: true });
    });
    const session = await driver.open(replay.url, { signal });
    const { feeder, flatbed } = await session.capabilities({ signal });
    // As core chooses.
    const source = !feeder || (flatbed && (await session.status({ signal })).paper === 'empty') ? 'flatbed' : 'feeder';
    if (expect.resolutions) t.strictSame((feeder ?? flatbed)?.resolutions, expect.resolutions);
    let pages = 0;
    let failure: unknown;
    try {
      for await (const page of session.scan({ ...order, source }, { signal, stop: signal }))
        pages += page.data.length > 0 ? 1 : 0;
    } catch (error) {
      failure = error;
    }
    t.equal(failure && codeOf(failure), expect.code, messageOf(failure));
    t.equal(pages, expect.pages);
    await session.close();
    const count = (method: string) => replay.asked.filter(each => each.startsWith(`${method} `)).length;
    if (expect.begun !== undefined) t.equal(count('POST'), expect.begun);
    if (expect.deleted !== undefined) t.equal(count('DELETE'), expect.deleted);
    if (expect.posted !== undefined) t.match(replay.posted[0], expect.posted);
  });
}

t.test('quirksOf: all matching rows apply, of the same quirk the first', async t => {
  t.strictSame(quirksOf({ makeAndModel: 'Acme HP M630 EPSON Brother' }), standard);
  t.strictSame(quirksOf({ makeAndModel: 'EPSON ET-5850 Series', server: 'HP_Compact_Server' }), {
    ...standard,
    host: 'with port',
  });
  t.strictSame(quirksOf({ makeAndModel: 'MFC-L2750DW', manufacturer: 'Brother' }), {
    ...standard,
    earlyEnd: 'always',
    earlyEndMs: 3000,
  });
  t.match(quirksOf({ makeAndModel: 'B215 MFP', manufacturer: 'Xerox', server: 'HP_Compact_Server' }), {
    host: 'localhost',
    notReady: [404, 410],
    keepsJobs: true,
  });
  t.ok(
    quirkTable.every(({ match }) => Object.keys(match).length > 0),
    'no row matches every device',
  );
});
