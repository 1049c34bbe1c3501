import { homedir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { createForPages } from './forPages.js';

t.test('forPages: paths are relative to the data folder, and without the home', async t => {
  const dir = t.testdir({ 'a (b)': {} });
  const data = join(dir, 'a (b)');
  const forPages = createForPages(data);
  for (const [said, told] of [
    [
      `The tray of "A", ${join(data, 'trays', 'a')}, does not exist.`,
      `The tray of "A", ${join('trays', 'a')}, does not exist.`,
    ],
    [
      `ENOSPC: no space left on device, open '${join(data, 'spool', 'x')}'.`,
      `ENOSPC: no space left on device, open '${join('spool', 'x')}'.`,
    ],
    [`Pages could not be kept in ${data}.`, 'Pages could not be kept in the data folder.'],
    [`${join(homedir(), 'x.sock')} is away.`, `${join('~', 'x.sock')} is away.`],
    ['POST https://localhost:53052/api/twain/scan', 'POST https://localhost:53052/api/twain/scan'],
  ] as const)
    t.equal(forPages(said), told);
  t.match(forPages(`${data}-other is missing.`), /a \(b\)-other is missing\.$/, 'which is another folder');
});
