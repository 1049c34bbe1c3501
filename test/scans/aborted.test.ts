/** The service ends with SIGABRT in a scan, as V8 ends it when it gets no memory: the scan is interrupted and goes on. */
import t from 'tap';
import type { Ink } from '../topology/sheets.js';
import type { Fixture } from '../topology/topology.js';
import { virtualTopology as topology } from '../topology/virtualTopology.js';
import { continueScan, deleteScan, ended, eventsOf, findScan, pageOf, sha256, startScan } from '../spec/scanCalls.js';
import { freeze, thaw, whyNotFrozen } from './frozen.js';
import { keptFolder } from './keptFolder.js';

const SHEETS = 20;

/** @returns the scan and what was announced of it */
async function aborted(fixture: Fixture): Promise<{ id: string; announced: readonly unknown[] }> {
  for (;;) {
    await fixture.load(
      'duplex',
      Array.from({ length: SHEETS }, (_, at) => ({ front: (at % 8) as Ink })),
    );
    const { id } = (await startScan(fixture, 'duplex')).json;
    const stream = await eventsOf(fixture, id);
    const pages = () => stream.events.filter(({ event }) => event === 'page').map(({ data }) => data);
    for (let count = 1; pages().length < 3; count++) await stream.come(count);
    freeze(fixture);
    const isRunning = keptFolder(fixture, id).state === 'running';
    if (isRunning) fixture.signal('SIGABRT');
    thaw(fixture);
    if (isRunning) {
      await fixture.ended;
      return { id, announced: pages() };
    }
    await ended(fixture, id);
    await deleteScan(fixture, id);
  }
}

t.test(
  'service aborted in a scan: interrupted, with all announced pages, and continued',
  { skip: whyNotFrozen },
  async t => {
    let fixture = await topology.start();
    t.teardown(() => fixture.stop());
    const { id, announced } = await aborted(fixture);
    fixture = await fixture.again();
    const scan = (await findScan(fixture, id)).json;
    t.match(scan, { state: 'interrupted', code: 'service-ended' });
    t.same(scan.pages.slice(0, announced.length), announced);
    for (const { number, sha256: digest } of scan.pages) {
      const { status, bytes } = await pageOf(fixture, id, number);
      t.match({ status, digest: sha256(bytes) }, { status: 200, digest }, `page ${number}`);
    }
    t.equal((await continueScan(fixture, id)).status, 200);
    t.match(await ended(fixture, id), { state: 'completed' });
    t.equal(await fixture.waiting('duplex'), 0);
  },
);
