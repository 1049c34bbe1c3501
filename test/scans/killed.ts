/** `kill -9` of a service at each point of a scan: what was announced is there after the restart, and the scanner works. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { until } from '../spec/calls.js';
import type { Ink, Sheet } from '../topology/sheets.js';
import type { Fixture, Topology } from '../topology/topology.js';
import { processesOf, whyNotFrozen } from './frozen.js';
import { expectedFiles, keptFolder, keptIds, plainFiles } from './keptFolder.js';
import { announced, points, SHEETS, type Witness } from './killPoints.js';
import {
  continueScan,
  deleteScan,
  ended,
  eventsOf,
  findScan,
  inkOf,
  listScans,
  pageOf,
  sha256,
  startScan,
  type PageJson,
} from '../spec/scanCalls.js';

const shop = 'https://shop.example';

/** Their inks repeat after eight: more than that are never missing. */
const sheetsFrom = (first: number, count: number): Sheet[] =>
  Array.from({ length: count }, (_each, at) => ({ front: ((first + at) % 8) as Ink }));

/** Runs points, each when absent, over these scanners, one after the other over one data folder. */
export function runKills(topology: Topology, titles: readonly string[] = Object.keys(points)): void {
  t.test(`${topology.name}: killed`, { skip: whyNotFrozen }, async t => {
    let fixture = await topology.start();
    t.teardown(async () => {
      if (!t.passing()) t.comment(`The last service's log:\n${fixture.log()}`);
      const { code, log } = await fixture.stop();
      if (code !== 0) throw new Error(`The service ended with ${code}: ${log}`);
    });
    for (const title of titles)
      await t.test(title, async t => {
        const kill = points[title];
        if (!kill) throw new Error(`There is no point "${title}".`);
        const witness = await killed(fixture, title, kill);
        const id = witness.id ?? '';
        const before = keptFolder(fixture, id);
        // A sheet that was being moved out when the service was killed is still in the feeder.
        const fed = SHEETS - (await fixture.waiting(witness.role));
        fixture = await fixture.again();
        // The next point begins with an empty list, however this one ends.
        t.teardown(async () => void (await deleteScan(fixture, id, witness)));
        if (witness.deleting) return isGone(t, fixture, witness);
        const pages = await survived(t, fixture, witness, before);
        const lost = fed - pages.length;
        t.ok(lost >= 0 && lost < 8, `${lost} sheets were in the path`);
        await worksAgain(t, fixture, witness, lost);
        t.match(await deleteScan(fixture, id, witness), { status: 200, json: { success: true } });
        t.same(keptIds(fixture), []);
      });
  });
}

/** @returns what the client knew when the service and its helpers had ended */
async function killed(
  fixture: Fixture,
  title: string,
  kill: (fixture: Fixture, witness: Witness) => Promise<boolean>,
): Promise<Witness> {
  for (let attempt = 1; ; attempt++) {
    const witness: Witness = {
      origin: shop,
      role: 'duplex',
      key: `${title.replace(/[^a-z]/gi, '-')}-${attempt}`,
      files: new Map(),
    };
    await fixture.load(witness.role, sheetsFrom(0, SHEETS));
    if (await kill(fixture, witness)) {
      await fixture.ended;
      await witness.stream?.ended;
      await until(async () => processesOf(fixture).length === 0);
      witness.id ??= keptIds(fixture)[0] ?? '';
      return witness;
    }
    const { id = '' } = witness;
    await ended(fixture, id, witness);
    await deleteScan(fixture, id, witness);
  }
}

async function isGone(t: Test, fixture: Fixture, witness: Witness): Promise<void> {
  t.match(await findScan(fixture, witness.id ?? '', witness), { status: 404, json: { success: false } });
  t.same(keptIds(fixture), [], 'nothing of it is left');
  await fixture.load(witness.role, sheetsFrom(0, 2));
  const { status, json } = await startScan(fixture, witness.role, witness);
  t.equal(status, 201);
  t.match(await ended(fixture, json.id, witness), { state: 'completed', pageCount: 2 });
  await deleteScan(fixture, json.id, witness);
}

/** @param before its folder as the killed service left it */
async function survived(
  t: Test,
  fixture: Fixture,
  witness: Witness,
  before: ReturnType<typeof keptFolder>,
): Promise<readonly PageJson[]> {
  const id = witness.id ?? '';
  const { status, json } = await findScan(fixture, id, witness);
  const state = before.state === 'running' ? 'interrupted' : before.state;
  t.match(
    { status, json },
    { status: 200, json: { id, state, ...(state === 'interrupted' && { code: 'service-ended' }) } },
  );
  const { pages } = json;
  t.same(
    pages.map(({ number }) => number),
    pages.map((_page, at) => at + 1),
    'numbered from 1',
  );
  t.same(
    pages.map(({ number }) => number),
    before.pages,
    'every page that was stored',
  );
  t.equal(json.pageCount, pages.length);
  t.same(announced(witness), pages.slice(0, announced(witness).length), 'as announced');
  for (const page of pages) {
    const file = await pageIn(t, fixture, witness, page);
    const had = witness.files.get(page.number);
    if (had) t.ok(file.equals(had), `page ${page.number} as it was fetched`);
  }
  if (witness.part) await resumed(t, fixture, witness, witness.part);
  // The state that it found is being written.
  await until(async () => keptFolder(fixture, id).files.every(name => !name.endsWith('.draft')));
  t.same(plainFiles(keptFolder(fixture, id)), expectedFiles(pages.map(({ number }) => number)), 'no stray file');
  t.same(await readdir(join(fixture.dataDir, 'spool')), []);
  t.same(
    (await listScans(fixture, witness)).map(each => each.id),
    [id],
  );
  t.same(await listScans(fixture), [], 'of its origin only');
  t.equal((await findScan(fixture, id)).status, 404);
  const stream = await eventsOf(fixture, id, witness, String(announced(witness).length));
  const events = await stream.ended;
  t.same(
    events.filter(({ event }) => event === 'page').map(({ data }) => data),
    pages.slice(announced(witness).length),
    'events go on after the last one',
  );
  t.match(events.at(-1), { event: 'state', id: `${pages.length}.${state}`, data: { state } });

  const fed = await fixture.scanned(witness.role);
  t.match(await startScan(fixture, witness.role, witness), { status: 200, json: { id } }, 'its key means this scan');
  t.equal(await fixture.scanned(witness.role), fed, 'and feeds nothing');
  return pages;
}

async function pageIn(t: Test, fixture: Fixture, witness: Witness, page: PageJson): Promise<Buffer> {
  const { status, headers, bytes } = await pageOf(fixture, witness.id ?? '', page.number, witness);
  t.match(
    { status, type: headers['content-type'], etag: headers['etag'], length: bytes.length, sha256: sha256(bytes) },
    { status: 200, type: page.mimeType, etag: `"${page.sha256}"`, length: page.bytes, sha256: page.sha256 },
    `page ${page.number}, byte for byte`,
  );
  return bytes;
}

/** The rest of a page, after the connection was cut in it. */
async function resumed(t: Test, fixture: Fixture, witness: Witness, { page, bytes }: NonNullable<Witness['part']>) {
  const rest = await pageOf(fixture, witness.id ?? '', page.number, witness, {
    range: `bytes=${bytes.length}-`,
    'if-range': `"${page.sha256}"`,
  });
  t.equal(rest.status, 206);
  t.equal(sha256(Buffer.concat([bytes, rest.bytes])), page.sha256, 'what had come and the rest are the page');
}

/** Scans what is left in the feeder, into the same scan. @param lost sheets that were in the path of the killed service */
async function worksAgain(t: Test, fixture: Fixture, witness: Witness, lost: number): Promise<void> {
  const { id = '', role } = witness;
  let total = SHEETS;
  if ((await fixture.waiting(role)) === 0) {
    await fixture.insert(role, sheetsFrom(total, 2));
    total += 2;
  }
  t.match(await continueScan(fixture, id, witness), { status: 200, json: { id } });
  const { state, pages, code } = await ended(fixture, id, witness);
  t.match({ state, code }, { state: 'completed', code: undefined });
  t.same(
    pages.map(({ number, sheet }) => [number, sheet]),
    pages.map((_page, at) => [at + 1, at + 1]),
  );
  t.equal(await fixture.scanned(role), total);
  t.equal(pages.length, total - lost, 'no sheet is twice in it');
  const inks = sheetsFrom(0, total).map(({ front }) => front);
  const found: number[] = [];
  for (const page of pages)
    found.push(inks.indexOf(await inkOf(await pageIn(t, fixture, witness, page)), (found.at(-1) ?? -1) + 1));
  t.notOk(found.includes(-1), `in their order: ${found.join(' ')}`);
  t.equal(found.at(-1), total - 1);
}
