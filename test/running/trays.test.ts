/** Trays over HTTPS: files as paper, and files that are none. */
import { mkdir, readdir, readFile, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { enable, listen } from '../spec/autoscanCalls.js';
import { inksOf, scan } from '../spec/calls.js';
import { start } from '../spec/specTest.js';
import { drawSide, sheets } from '../topology/sheets.js';
import { insertFile, virtualTopology as topology } from '../topology/virtualTopology.js';

const colour = { resolution: 75, colorMode: 'Color' };

void t.test('trays', async t => {
  const fixture = await start(t, topology);

  await t.test(
    'tray: a file is not an image, the error names it, it is set apart and the pages before it are kept',
    async t => {
      const tray = fixture.tray('duplex');
      for (const [name, bytes] of Object.entries({
        text: 'not an image',
        empty: '',
        cut: (await drawSide(1)).subarray(0, 300),
      })) {
        await fixture.load('duplex', sheets(5));
        await insertFile(tray, `z-${name}.png`, bytes);
        await insertFile(tray, 'zz.png', await drawSide(6));
        const { status, json } = await scan(fixture, 'duplex', colour);
        t.equal(status, 500, name);
        t.match(json, {
          success: false,
          status: 'DriverFailed',
          error: new RegExp(`z-${name}\\.png .*rejected`),
          imageCount: 1,
        });
        t.same(await inksOf(json), [5]);
        t.same(await readdir(join(tray, 'rejected')), [`z-${name}.png`]);
        t.same(await inksOf((await scan(fixture, 'duplex', colour)).json), [6], 'the next scan goes on behind it');
      }
    },
  );

  await t.test('tray: errors for clients, paths relative to the data folder; the log has the whole path', async t => {
    const kind = 'twainlocalscanner';
    const whole = join(fixture.dataDir, 'trays', 'duplex');
    await fixture.load('duplex', []);
    await insertFile(fixture.tray('duplex'), 'no.png', 'not an image');
    const { text } = await scan(fixture, 'duplex', colour);
    t.match(text, /no\.png.*trays.*duplex/);
    await fixture.request('POST', '/api/twain', {
      body: { kind, method: 'openSource', params: { sourceName: fixture.name('duplex') } },
    });
    await insertFile(fixture.tray('duplex'), 'no.png', 'not an image');
    const direct = await fixture.request('POST', '/api/twain', { body: { kind, method: 'scan', params: colour } });
    t.match(direct.text, /no\.png.*trays.*duplex/);
    await fixture.request('POST', '/api/twain', { body: { kind, method: 'closeSource' } });
    await fixture.unplug('duplex');
    const gone = await scan(fixture, 'duplex', colour);
    t.match(gone.text, /does not exist/);
    await fixture.plugIn('duplex');
    await enable(t, fixture, 'duplex');
    const stream = await listen(t, fixture);
    // As many as end auto-scan.
    for (const name of ['no-1.png', 'no-2.png', 'no-3.png'])
      await insertFile(fixture.tray('duplex'), name, 'not an image');
    const [lost] = await stream.ended;
    t.match(lost?.data, { message: /no-3\.png.*trays.*duplex/ });
    for (const each of [text, direct.text, gone.text, JSON.stringify(lost)])
      t.notOk(each.includes(fixture.dataDir), each);
    t.ok(fixture.log().includes(whole));
  });

  await t.test('tray: files, fed in natural order of their names', async t => {
    await fixture.load('duplex', []);
    for (const [name, ink] of [
      ['page10.png', 3],
      ['page2.png', 2],
      ['Page1.png', 1],
    ] as const)
      await insertFile(fixture.tray('duplex'), name, await drawSide(ink));
    t.same(await inksOf((await scan(fixture, 'duplex', colour)).json), [1, 2, 3]);
  });

  await t.test('tray: system files, links and folders, not fed', async t => {
    const tray = fixture.tray('duplex');
    await fixture.load('duplex', sheets(4));
    await writeFile(join(tray, '.DS_Store'), 'x');
    await writeFile(join(tray, 'Thumbs.db'), 'x');
    await mkdir(join(tray, 'folder.png'));
    const elsewhere = join(fixture.dataDir, 'elsewhere.png');
    await writeFile(elsewhere, await drawSide(1));
    await symlink(elsewhere, join(tray, '000.png'));
    t.same(await inksOf((await scan(fixture, 'duplex', colour)).json), [4]);
    t.ok(await readFile(elsewhere));
  });

  await t.test('tray: same name in scanned/, not overwritten', async t => {
    const tray = fixture.tray('duplex');
    await fixture.load('duplex', []);
    const inks = [1, 2, 3] as const;
    for (const ink of inks) {
      await insertFile(tray, 'same.png', await drawSide(ink));
      t.same(await inksOf((await scan(fixture, 'duplex', colour)).json), [ink]);
    }
    const kept = await readdir(join(tray, 'scanned'));
    t.equal(kept.length, inks.length);
    const files = await Promise.all(kept.map(name => readFile(join(tray, 'scanned', name), 'base64')));
    t.equal(new Set(files).size, inks.length);
  });

  await t.test('tray: folder missing, an error with the fix; works when it is back', async t => {
    const tray = fixture.tray('small');
    await rename(tray, `${tray}-away`);
    t.match(await scan(fixture, 'small'), {
      status: 500,
      json: { status: 'DeviceOffline', error: /small, does not exist.*Make the folder/ },
    });
    await rename(`${tray}-away`, tray);
    await fixture.load('small', sheets(1));
    t.equal((await scan(fixture, 'small')).status, 200);
  });
});
