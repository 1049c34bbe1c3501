/** Responses of real devices, replayed: one file of `fixtures/replays` each, with the outcome that is expected. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { codeOf, nullLog, type ScanOrder } from '@platen/core/plugin';
import t, { type Test } from 'tap';
import { esclDriver } from './driver.js';
import { hostHeaderOf } from './http/httpClient.js';
import { quirkTable, type Match } from './protocol/quirkTable.js';
import { quirksOf, standard } from './protocol/quirks.js';
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

interface Outcome {
  readonly pages: number;
  readonly code: string | undefined;
  readonly begun: number;
  readonly deleted: number;
  readonly posted: string | undefined;
  readonly resolutions: readonly number[] | undefined;
}

const rowOf = async (file: string): Promise<Row> => JSON.parse(await readFile(new URL(file, folder), 'utf8')) as Row;

async function outcomeOf(t: Test, recording: Recording): Promise<Outcome> {
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
  let pages = 0;
  let failure: unknown;
  try {
    for await (const page of session.scan({ ...order, source }, { signal, stop: signal }))
      pages += page.data.length > 0 ? 1 : 0;
  } catch (error) {
    failure = error;
  }
  await session.close();
  const count = (method: string) => replay.asked.filter(each => each.startsWith(`${method} `)).length;
  return {
    pages,
    code: failure === undefined ? undefined : codeOf(failure),
    begun: count('POST'),
    deleted: count('DELETE'),
    posted: replay.posted[0],
    resolutions: (feeder ?? flatbed)?.resolutions,
  };
}

/** Whether it ended as the file expects, in all that the file names. */
function isExpected({ code, posted, ...numbers }: Row['expect'], outcome: Outcome): boolean {
  return (
    outcome.code === code &&
    (posted === undefined || (outcome.posted ?? '').includes(posted)) &&
    Object.entries(numbers).every(([name, value]) => isDeepStrictEqual(outcome[name as keyof Outcome], value))
  );
}

for (const file of (await readdir(folder)).filter(name => name.endsWith('.json'))) {
  const { expect, ...recording } = await rowOf(file);
  t.test(`${file}: ${recording.device} (${recording.from})`, async t => {
    const outcome = await outcomeOf(t, recording);
    t.ok(isExpected(expect, outcome), JSON.stringify({ expect, outcome }));
  });
}

/** The same answers of a device that says it is another: `Acme`, unless a field says otherwise. */
function called(recording: Recording, { model, manufacturer, server, as }: Match): Recording {
  const said = { model: 'Acme', manufacturer: 'Acme', server: 'Acme' };
  const field = server ? 'server' : manufacturer ? 'manufacturer' : model ? 'model' : undefined;
  const is = { ...said, ...(field && { [field]: as }) };
  const text = JSON.stringify(recording)
    .replaceAll(/(:MakeAndModel>)[^<]*/g, (_, tag: string) => tag + is.model)
    .replaceAll(/<scan:Manufacturer>[^<]*<\/scan:Manufacturer>/g, '')
    .replaceAll('</pwg:MakeAndModel>', `</pwg:MakeAndModel><scan:Manufacturer>${is.manufacturer}</scan:Manufacturer>`)
    .replaceAll(/"Server":"[^"]*"/g, `"Server":"${is.server}"`);
  return JSON.parse(text) as Recording;
}

const nobody: Match = { as: 'Acme' };
const url = new URL('http://192.0.2.7/eSCL');

for (const { device, match, quirks, source, replays } of quirkTable) {
  t.test(`quirk: ${device}`, async t => {
    t.match(source, /^https:\/\//, 'it has a source');
    t.ok(
      match.every(each => each.model ?? each.manufacturer ?? each.server),
      'it does not match every device',
    );
    if (quirks.host) t.not(hostHeaderOf(url, quirks.host), hostHeaderOf(url, standard.host));
    for (const name of replays) {
      const { expect, ...recording } = await rowOf(`${name}.json`);
      for (const each of match) {
        const outcome = await outcomeOf(t, called(recording, each));
        t.ok(isExpected(expect, outcome), `${name}, as ${each.as}: ${JSON.stringify({ expect, outcome })}`);
      }
      // The port of a replay is not 80, so it is in every Host header.
      if (quirks.host === 'with port') continue;
      const without = await outcomeOf(t, called(recording, nobody));
      t.notOk(isExpected(expect, without), `${name}, without the row: ${JSON.stringify(without)}`);
    }
  });
}

t.test('quirksOf: all matching rows apply, of the same quirk the first', async t => {
  t.strictSame(quirksOf({ makeAndModel: 'Acme HP M630 EPSON Brother' }), standard);
  t.strictSame(quirksOf({ makeAndModel: 'EPSON ET-5850 Series', server: 'HP_Compact_Server' }), {
    ...standard,
    host: 'with port',
  });
  t.match(quirksOf({ makeAndModel: 'B215 MFP', manufacturer: 'Xerox', server: 'HP_Compact_Server' }), {
    host: 'localhost',
    notReady: [404, 410],
    keepsJobs: true,
  });
  // As long as sane-airscan waits for a page of them; the end of a stack is quick for all others.
  for (const makeAndModel of ['B205', 'Xerox B215 MFP', 'WorkCentre 3345'])
    t.equal(quirksOf({ makeAndModel }).earlyEndMs, 30_000, makeAndModel);
  t.equal(standard.earlyEndMs, 1000);
});
