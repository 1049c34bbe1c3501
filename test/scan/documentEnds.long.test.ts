/** `platen scan --out letter.pdf` is stopped, killed, or has no room: the pages are in the file, or they are kept. */
import { execFileSync } from 'node:child_process';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { lackingDisks, mountSmallDisk, needs } from '@platen/conformance';
import t from 'tap';
import { until } from '../spec/calls.js';
import { sheets, type Ink } from '../topology/sheets.js';
import { createInstallation, keptIn, scansOf, type Service } from './installation.js';
import { checkedPages, inksOf } from './pdfFiles.js';

const slow = { A: { msPerPage: 300 } };
const stack: readonly Ink[] = [1, 2, 3, 4, 5, 6, 1, 2, 3, 4];
const PDF = ['document-pdf'];
const flags = ['--out', 'letter.pdf', '--dpi', '75', '--color', 'color'] as const;

for (const where of ['in this process', 'through the service'] as const) {
  t.test(`platen scan, documents, ${where}: Ctrl-C, the pages so far become the document`, async t => {
    if (!needs(t, 'qpdf') || !needs(t, 'pdftotext')) return;
    const { scan, serve, load, out, files, waiting, data } = await createInstallation(t, slow, PDF);
    const service = where === 'through the service' ? await serve() : undefined;
    await load('A', sheets(...stack));
    const running = scan(...flags);
    await until(async () => running.log().includes('page 2 '));
    running.signal('SIGINT');
    const { code, out: said, log } = await running.ended;
    t.equal(code, 130, log);
    t.equal(said, 'letter.pdf\n');
    t.match(log, /^Cancelled: \d+ pages in /m);
    const fed = stack.length - (await waiting('A'));
    t.ok(fed >= 2 && fed < stack.length, `${fed} sheets were fed`);
    t.same(await inksOf(join(out, 'letter.pdf')), stack.slice(0, fed), 'every sheet that was fed');
    t.equal(await checkedPages(join(out, 'letter.pdf')), fed);
    t.same(await files(), ['letter.pdf']);
    t.same(service ? await scansOf(service) : await keptIn(data), []);
  });

  t.test(`platen scan, documents, ${where}: the name is taken meanwhile, the document gets another`, async t => {
    const { scan, serve, load, out, files } = await createInstallation(t, slow, PDF);
    if (where === 'through the service') await serve();
    await load('A', sheets(1, 2, 3));
    const running = scan(...flags);
    await until(async () => (await files()).includes('letter.pdf.part'));
    await writeFile(join(out, 'letter.pdf'), 'theirs');
    t.match(await running.ended, { code: 0, out: 'letter (2).pdf\n' });
    t.same(await files(), ['letter (2).pdf', 'letter.pdf']);
  });

  t.test(
    `platen scan, documents, ${where}: a full disk, the pages stay, the message gets them`,
    {
      skip: lackingDisks(),
    },
    async t => {
      if (!needs(t, 'curl') || !needs(t, 'qpdf')) return;
      const { scan, serve, load, out, waiting } = await createInstallation(t, slow, PDF);
      const folder = join(out, 'small');
      await mkdir(folder);
      const disk = mountSmallDisk(folder, '1500k');
      t.teardown(disk.unmount);
      await disk.fill(4096);
      let service: Service | undefined = where === 'through the service' ? await serve() : undefined;
      await load('A', sheets(...stack));
      const exit = await scan('--out', 'small/letter.pdf', ...flags.slice(2)).ended;
      t.equal(exit.code, 1, exit.log);
      t.equal(exit.out, '');
      t.match(exit.log, /^StorageFailed: \d+ pages? in /m);
      t.same(await readdir(folder), ['filling'], 'no part of the document');
      const fed = stack.length - (await waiting('A'));
      t.ok(fed >= 1 && fed < stack.length, 'feeding stopped');
      service ??= await serve();
      t.equal((await scansOf(service))[0]?.pageCount, fed, 'no page is lost');
      const command = /curl .* -o FILE/.exec(exit.log)?.[0] ?? '';
      const file = join(out, 'letter.pdf');
      const own = command.replace('FILE', `'${file}'`).replace(/localhost:(\d+|PORT)/, `localhost:${service.port}`);
      execFileSync('sh', ['-c', own], { stdio: 'ignore' });
      t.equal(await checkedPages(file), fed);
    },
  );
}

t.test(
  'platen scan, documents: the data folder is full, every page that was fed is in the document',
  {
    skip: lackingDisks(),
  },
  async t => {
    if (!needs(t, 'qpdf') || !needs(t, 'pdftotext')) return;
    const { scan, load, out, waiting, data, files } = await createInstallation(t, slow, PDF);
    // Makes the data folder.
    await scan('--list').ended;
    const folder = join(data, 'scans');
    const disk = mountSmallDisk(folder, '1500k');
    t.teardown(disk.unmount);
    await disk.fill(40_960);
    await load('A', sheets(...stack));
    const { code, out: said, log } = await scan('--out', 'letter.pdf', '--dpi', '150', '--color', 'color').ended;
    t.equal(code, 1, log);
    t.equal(said, 'letter.pdf\n');
    t.match(log, /^StorageFailed: \d+ pages in /m);
    const fed = stack.length - (await waiting('A'));
    t.ok(fed >= 2 && fed < stack.length, `${fed} sheets were fed`);
    t.same(await inksOf(join(out, 'letter.pdf')), stack.slice(0, fed));
    t.same(await files(), ['letter.pdf']);
  },
);

t.test('platen scan, documents: a folder that cannot be written, nothing moves', { skip: lackingDisks() }, async t => {
  const { scan, load, out, waiting } = await createInstallation(t, slow, PDF);
  const folder = join(out, 'small');
  await mkdir(folder);
  const disk = mountSmallDisk(folder, '1500k');
  t.teardown(disk.unmount);
  disk.setReadOnly(true);
  await load('A', sheets(1));
  t.match(await scan('--out', 'small/letter.pdf').ended, { code: 2, out: '', log: /--out: .* cannot write / });
  t.equal(await waiting('A'), 1);
});

t.test('platen scan, documents: killed, its pages are kept, and the next service has them', async t => {
  if (!needs(t, 'curl') || !needs(t, 'qpdf')) return;
  const { scan, serve, load, out, files, data } = await createInstallation(t, slow, PDF);
  await load('A', sheets(...stack));
  const running = scan(...flags);
  await until(async () => running.log().includes('page 3 '));
  running.signal('SIGKILL');
  t.equal((await running.ended).code, null);
  t.same(await files(), ['letter.pdf.part'], 'it is not called a document');
  t.equal((await keptIn(data)).length, 1);
  const { log } = await scan('--list').ended;
  t.match(log, join(data, 'scans'), 'the next command says so');
  t.match(log, /curl --cacert .*\/api\/scans$/m, 'and how to see them');
  const service = await serve();
  const [kept] = await scansOf(service);
  t.match(kept, { state: 'interrupted' });
  t.ok((kept?.pageCount ?? 0) >= 3, `${kept?.pageCount} pages`);
  const file = join(out, 'kept.pdf');
  const url = `https://localhost:${service.port}/api/scans/${kept?.id}/document?format=pdf`;
  execFileSync('curl', ['--fail', '--cacert', join(data, 'certificate', 'cert.pem'), '-o', file, url], {
    stdio: 'ignore',
  });
  t.same(await inksOf(file), stack.slice(0, kept?.pageCount));
  // What is left does not stop the next scan.
  await load('A', sheets(5));
  t.match(await scan(...flags).ended, { code: 0, out: 'letter.pdf\n' });
});

t.test('platen scan, documents: the service is killed and comes back, what it kept is the document', async t => {
  if (!needs(t, 'pdftotext') || !needs(t, 'qpdf')) return;
  const { scan, serve, load, out, files, waiting } = await createInstallation(t, slow, PDF);
  const killed = await serve();
  await load('A', sheets(...stack));
  const running = scan(...flags);
  await until(async () => running.log().includes('page 2 '));
  killed.signal('SIGKILL');
  await killed.ended;
  const service = await serve();
  const { code, log, out: said } = await running.ended;
  t.equal(code, 7, log);
  t.equal(said, 'letter.pdf\n');
  t.match(log, /^ServiceEnded: \d+ pages in /m);
  t.same(await files(), ['letter.pdf']);
  const inks = await inksOf(join(out, 'letter.pdf'));
  t.same(inks, stack.slice(0, inks.length));
  // The sheet in the path when the service was killed may have left the tray.
  t.ok(inks.length >= 2 && stack.length - (await waiting('A')) - inks.length <= 2, `${inks.length} pages`);
  t.same(await scansOf(service), []);
});

t.test('platen scan, documents: the service is killed and stays away, no part of a document is left', async t => {
  const { scan, serve, load, files } = await createInstallation(t, slow, PDF);
  const killed = await serve();
  await load('A', sheets(...stack));
  const running = scan(...flags);
  await until(async () => running.log().includes('page 2 '));
  killed.signal('SIGKILL');
  const { code, log, out: said } = await running.ended;
  t.equal(code, 7, log);
  t.equal(said, '');
  t.match(log, /curl --cacert .*\/api\/scans\/\S+\/document\?format=pdf" -o FILE$/m);
  t.same(await files(), []);
  const [kept] = await scansOf(await serve());
  t.match(kept, { state: 'interrupted' });
  t.ok((kept?.pageCount ?? 0) >= 2);
});
