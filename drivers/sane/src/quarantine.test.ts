/** A backend that crashes or hangs in the search for scanners, beside libsane's own `test` backend. */
import { readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Driver } from '@platen/core/plugin';
import t from 'tap';
import { helpers, lacking, never, scanned, withBadBackend } from './rig.test.kit.js';

const skip = lacking();

/** What a listing yields, and the message that it ends with. */
async function list(driver: Driver) {
  const devices: { id: string; online: boolean }[] = [];
  try {
    for await (const { id, online } of driver.devices({ signal: never() })) devices.push({ id, online });
  } catch (error) {
    return { devices, failure: (error as Error).message };
  }
  return { devices, failure: undefined };
}

// Of this process alone: other tests list SANE's scanners at the same time.
process.env['TMPDIR'] = t.testdir();
const folders = (): string[] => readdirSync(tmpdir()).filter(name => name.startsWith('platen-sane-'));

for (const breaks of ['crash', 'hang'] as const) {
  t.test(
    `quarantine: a backend, ${breaks}: named; the scanners of the others are listed and scan`,
    { skip },
    async t => {
      const before = folders();
      const body = await withBadBackend(breaks, breaks === 'hang' ? { deadlines: { list: 3000 } } : {});
      t.teardown(body.dispose);
      const listed = [{ id: 'test:0', online: true }];
      const { devices, failure } = await list(body.driver);
      t.strictSame(devices, listed, 'in the same listing');
      t.match(failure, `"bad"`, 'core learns that the list is not complete');
      t.equal(body.said.filter(line => line.includes('backend "bad"')).length, 1, body.said.join('\n'));
      const session = await body.driver.open('test:0', { signal: never() });
      t.match(await scanned(session, { source: 'flatbed' }), { pages: { length: 1 } });
      await session.close();

      await body.changed();
      t.strictSame((await list(body.driver)).devices, listed, 'it is tried again when devices come or go');
      t.equal(body.said.filter(line => line.includes('backend "bad"')).length, 2);

      await body.breaks('none');
      await body.changed();
      const found = await list(body.driver);
      t.strictSame(found, { devices: [{ id: 'bad:0', online: false }, ...listed], failure: undefined });
      t.strictSame(helpers(), []);
      t.strictSame(folders(), before, 'no folder of configuration remains');
    },
  );
}

t.test('quarantine: scanners known before a backend crashes', { skip }, async t => {
  const body = await withBadBackend('none');
  t.teardown(body.dispose);
  const conf = join(body.config, 'test.conf');
  await writeFile(conf, 'number_of_devices 2\n');
  t.match(await list(body.driver), {
    devices: ['bad:0', 'test:0', 'test:1'].map(id => ({ id })),
    failure: undefined,
  });
  await body.breaks('crash');
  await writeFile(conf, 'number_of_devices 1\n');
  await body.changed();
  t.strictSame(
    (await list(body.driver)).devices,
    [
      { id: 'test:0', online: true },
      { id: 'bad:0', online: false },
      { id: 'test:1', online: false },
    ],
    "the skipped backend's stays as it was; one that another backend no longer has is offline",
  );
});
