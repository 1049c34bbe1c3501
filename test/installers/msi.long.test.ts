/** The Windows package as a file: the same bytes wherever it is made. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { lacking } from '@platen/conformance';

interface Database {
  writePackage(options: object): Promise<void>;
}

t.test('MSI: made in two time zones, the same bytes', { skip: lacking('msibuild') || lacking('gcab') }, async t => {
  const url = new URL('../../../setup/installers/windows/database.mjs', import.meta.url);
  const { writePackage } = (await import(url.href)) as Database;
  const tables = [
    { name: 'Property', keys: 1, columns: ['Property:s72', 'Value:l0'], rows: [['ProductName', 'Platen']] },
  ];
  const folder = t.testdir();
  const source = join(folder, 'read.me');
  await writeFile(source, 'x');
  const before = process.env['TZ'];
  t.teardown(() => {
    if (before === undefined) delete process.env['TZ'];
    else process.env['TZ'] = before;
  });
  const made = async (zone: string): Promise<Buffer> => {
    process.env['TZ'] = zone;
    const scratch = join(folder, 'parts');
    const file = join(folder, 'p.msi');
    await writePackage({ file, scratch, epoch: 1_700_000_000, quick: true, tables, files: [{ key: 'F', source }] });
    return readFile(file);
  };
  const utc = await made('UTC');
  t.ok(utc.equals(await made('Asia/Tokyo')));
});
