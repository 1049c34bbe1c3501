/** What the audit says of the scans that an allowed page requests. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import type { AuditLine } from '../../consent/audit.js';
import { A, codeOf, service } from './scans/scans.test.kit.js';

const page = { host: 'localhost:53052', origin: A };

for (const path of ['/api/twain/scan', '/api/scans'])
  t.test(`${path}: scanners that a page made up are not in the audit, and the decisions stay`, async t => {
    const made = await service(t, { sheets: 1 }, { config: { security: { origins: 'ask' } } });
    const { app, call, dataDir } = made;
    const own = { ...page, origin: `http://${page.host}`, 'sec-fetch-site': 'same-origin', 'x-platen-page': 'origins' };
    const payload = { origin: A, may: ['scan'] };
    await app.inject({ method: 'POST', url: '/origins/answers', headers: own, payload });
    const scan = (scannerName: string) => call('POST', path, page, { scannerName });
    for (let n = 0; n < 20; n++) {
      const refused = await scan(`${n} ${'x'.repeat(60_000)}`);
      t.equal(codeOf(refused).code, 'device-not-found');
    }
    const audit = async () =>
      (await readFile(join(dataDir, 'audit.log'), 'utf8'))
        .trimEnd()
        .split('\n')
        .map(line => JSON.parse(line) as AuditLine);
    t.match(await audit(), [{ event: 'allowed', origin: A }]);
    t.equal((await audit()).length, 1);
    t.ok((await scan('A')).statusCode < 300);
    t.match((await audit()).slice(1), [{ event: 'scan', origin: A, scanner: 'A' }]);
  });
