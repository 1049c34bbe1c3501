/** One `Idempotency-Key`, one scan: no paper is fed twice, whatever happens between two requests. */
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { needs } from '@platen/conformance';
import t from 'tap';
import { esclTopology } from '../topology/esclTopology.js';
import { sheets } from '../topology/sheets.js';
import type { Fixture } from '../topology/topology.js';
import { virtualTopology } from '../topology/virtualTopology.js';
import { killWhen, whyNotFrozen } from './frozen.js';
import { keptFolder, keptIds } from './keptFolder.js';
import { continueScan, deleteScan, ended, findScan, startScan } from '../spec/scanCalls.js';

for (const topology of [virtualTopology, esclTopology])
  t.test(`${topology.name}: keys`, async t => {
    let fixture = await topology.start();
    t.teardown(() => fixture.stop());

    await t.test('one key in ten requests at once, one scan and one feed', async t => {
      await fixture.load('duplex', sheets(1, 2, 3));
      const answers = await Promise.all(Array.from({ length: 10 }, () => startScan(fixture, 'duplex', { key: 'k' })));
      t.equal(new Set(answers.map(({ json }) => json.id)).size, 1);
      t.same(answers.map(({ status }) => status).sort(), [...Array.from({ length: 9 }, () => 200), 201]);
      const { id, pages } = await ended(fixture, answers[0]?.json.id ?? '');
      t.equal(pages.length, 3);
      t.equal(await fixture.scanned('duplex'), 3);
      await fixture.load('duplex', sheets(4));
      t.match(await startScan(fixture, 'duplex', { key: 'k' }), { status: 200, json: { id, state: 'completed' } });
      t.equal(await fixture.scanned('duplex'), 0, 'nothing is fed');
      t.match(await startScan(fixture, 'duplex', { key: 'k', parameters: { resolution: 100 } }), {
        status: 400,
        headers: { 'platen-error': 'invalid-value' },
      });
      const other = { key: 'k', origin: 'https://shop.example' };
      const { status, json } = await startScan(fixture, 'duplex', other);
      t.equal(status, 201);
      await ended(fixture, json.id, other);
      await deleteScan(fixture, json.id, other);
      await deleteScan(fixture, id);
    });

    await t.test('a refused request frees its key; a scan that was let go keeps it', async t => {
      const headers = { 'idempotency-key': 'freed' };
      const refused = await fixture.request('POST', '/api/scans', { body: { scannerName: 'None' }, headers });
      t.match(refused, { status: 404, headers: { 'platen-error': 'device-not-found' } });
      await fixture.load('duplex', sheets(1));
      const { status, json } = await startScan(fixture, 'duplex', { key: 'freed' });
      t.equal(status, 201);
      await ended(fixture, json.id);
      await deleteScan(fixture, json.id);
      await fixture.load('duplex', sheets(2));
      t.match(await startScan(fixture, 'duplex', { key: 'freed' }), {
        status: 404,
        headers: { 'platen-error': 'scan-not-found' },
      });
      t.equal(await fixture.scanned('duplex'), 0, 'nothing is fed');
    });

    await t.test(
      'service killed between two requests with one key, nothing is fed twice',
      {
        skip: whyNotFrozen,
      },
      async t => {
        await fixture.load('duplex', sheets(1, 2, 3, 4, 5, 6, 7, 1));
        const ask = () => startScan(fixture, 'duplex', { key: 'killed' });
        const twice = (): Promise<PromiseSettledResult<unknown>[]> => Promise.allSettled([ask(), ask()]);
        let asked: ReturnType<typeof twice> | undefined;
        const isBegun = (): boolean => keptIds(fixture).some(id => keptFolder(fixture, id).state === 'running');
        const over = async (): Promise<void> => {
          await (asked = twice());
          await ended(fixture, keptIds(fixture)[0] ?? '');
        };
        t.equal(await killWhen(fixture, isBegun, over), true);
        await fixture.ended;
        await asked;
        const fed = await fixture.scanned('duplex');
        fixture = await fixture.again();
        const [one, two] = await Promise.all([ask(), ask()]);
        t.same([one.status, two.status], [200, 200]);
        t.equal(one.json.id, two.json.id);
        t.equal(one.json.state, 'interrupted');
        t.equal(await fixture.scanned('duplex'), fed, 'nothing more is fed');
        const { id } = one.json;
        t.equal((await continueScan(fixture, id)).status, 200);
        t.match(await ended(fixture, id), { state: 'completed' });
        t.equal(await fixture.scanned('duplex'), 8);
      },
    );
  });

if (needs(t, 'faketime'))
  t.test('the clock is set back an hour: scans and their keys stay, also after a restart', async t => {
    const folder = await mkdtemp(join(tmpdir(), 'platen-clock-'));
    t.teardown(() => rm(folder, { recursive: true, force: true }));
    const file = join(folder, 'time');
    const set = (offset: string): Promise<void> => writeFile(file, `${offset}\n`);
    await set('+0');
    let fixture = await virtualTopology.start({
      env: {
        LD_PRELOAD: execFileSync('faketime', ['-f', '+0', 'printenv', 'LD_PRELOAD'], { encoding: 'utf8' }).trim(),
        FAKETIME_TIMESTAMP_FILE: file,
        FAKETIME_NO_CACHE: '1',
        FAKETIME_DONT_FAKE_MONOTONIC: '1',
        NO_FAKE_STAT: '1',
      },
    });
    t.teardown(() => fixture.stop());
    const scanned = async (key: string): Promise<string> => {
      await fixture.load('duplex', sheets(1));
      const { status, json } = await startScan(fixture, 'duplex', { key });
      t.equal(status, 201, key);
      await ended(fixture, json.id);
      return json.id;
    };
    const createdAt = async (id: string): Promise<number> => Date.parse((await findScan(fixture, id)).json.createdAt);
    const before = await scanned('before');
    await set('-1h');
    const after = await scanned('after');
    t.ok((await createdAt(after)) < (await createdAt(before)) - 3_000_000, 'the service’s clock is set back');
    const check = async (service: Fixture): Promise<void> => {
      await service.load('duplex', sheets(2));
      t.match(await startScan(service, 'duplex', { key: 'before' }), { status: 200, json: { id: before } });
      t.match(await startScan(service, 'duplex', { key: 'after' }), { status: 200, json: { id: after } });
      t.equal(await service.scanned('duplex'), 0, 'nothing is fed');
      for (const id of [before, after])
        t.match((await findScan(service, id)).json, { state: 'completed', pageCount: 1 });
    };
    await check(fixture);
    fixture.signal('SIGKILL');
    await fixture.ended;
    fixture = await fixture.again();
    await check(fixture);
    await set('+0');
    await check(fixture);
  });
