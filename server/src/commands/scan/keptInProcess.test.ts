/** A scan in this process whose pages are kept: it is refused, ended early, fails, and is let go. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fakeDocumentFormat, fakeDriver, fakeFormat, type FakeDriverOptions } from '@platen/conformance';
import { ScanError } from '@platen/core';
import t, { type Test } from 'tap';
import { composeFakes } from '../../service/compose.test.kit.js';
import { keepInProcess } from './keptInProcess.js';

async function keeping(t: Test, options: FakeDriverOptions, scannerName = 'A') {
  const driver = fakeDriver({ devices: [{ name: 'A', flatbed: false }], ...options });
  const format = fakeDocumentFormat();
  const { routeParts, dataDir } = await composeFakes(t, {
    drivers: [driver],
    formats: [fakeFormat({ name: 'Png' })],
    documents: [format],
  });
  const seen: number[] = [];
  const run = keepInProcess(
    { scannerName, parameters: {} },
    { ...routeParts, see: ({ pageNumber }) => void seen.push(pageNumber), fetching: path => `GET ${path}` },
  );
  return {
    driver,
    format,
    run,
    seen,
    kept: () => readdir(join(dataDir, 'scans')),
    async document(): Promise<number> {
      let bytes = 0;
      for await (const chunk of run.document({ format: 'fake' })) bytes += chunk.length;
      return bytes;
    },
  };
}

t.test(
  'kept in this process: every page is seen, the document is written while it is scanned, then all goes',
  async t => {
    const { run, seen, format, document, kept } = await keeping(t, { sheets: 3 });
    t.ok(await run.started);
    t.ok((await document()) > 0);
    t.equal(await run.over, undefined);
    t.same(seen, [1, 2, 3]);
    t.equal(format.pages, 3);
    t.match(
      run.leftOver({ format: 'fake', title: 'A & B' }),
      /^GET \/api\/scans\/[\da-f-]{36}\/document\?format=fake&title=A/,
    );
    t.match(await run.documents(), [{ number: 1, pages: [1, 2, 3] }]);
    t.equal((await kept()).length, 1);
    await run.release();
    t.same(await kept(), []);
  },
);

t.test('kept in this process: a jam, the pages before it are all of the document', async t => {
  const { run, format, document } = await keeping(t, { sheets: 3, faults: { 2: 'paper-jam' } });
  await run.started;
  await document();
  t.match(await run.over, { code: 'paper-jam' });
  t.equal(format.pages, 1);
});

t.test('kept in this process: refused, nothing is kept', async t => {
  const { run, kept } = await keeping(t, { sheets: 3 }, 'C');
  t.notOk(await run.started);
  t.match(await run.over, { code: 'device-not-found' });
  t.same(await kept(), []);
});

t.test('kept in this process: ended before paper moves, the reason is the one that was given', async t => {
  const { run, driver, kept } = await keeping(t, { sheets: 3 });
  const reason = new ScanError('cancelled', 'The scan was stopped.');
  await run.end(reason);
  await run.end(new ScanError('cancelled', 'Stopped again.'));
  t.equal(await run.over, reason);
  t.notOk(await run.started);
  t.equal(driver.fed, 0);
  t.same(await kept(), []);
});

t.test('kept in this process: ended while it feeds, the pages so far are the document', async t => {
  const { run, driver, format, document } = await keeping(t, { sheets: 30 });
  const reason = new ScanError('cancelled', 'The scan was stopped.');
  t.ok(await run.started);
  const written = document();
  await driver.whenFed(2);
  await run.end(reason);
  t.equal(await run.over, reason);
  await written;
  t.equal(format.pages, driver.fed);
  t.ok(driver.fed < 30);
});
