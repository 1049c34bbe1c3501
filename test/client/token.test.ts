/** The client module where the service takes programs only with its token. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient } from '@platen/client';
import t from 'tap';
import { start } from '../spec/specTest.js';
import { sheets } from '../topology/sheets.js';
import { virtualTopology } from '../topology/virtualTopology.js';
import { relayTo } from './relay.js';

const fixture = await start(t, virtualTopology, { config: { security: { localPrograms: 'token' } } });
const { url: baseUrl } = await relayTo(t, fixture);
const token = (await readFile(join(fixture.dataDir, 'local.token'), 'utf8')).trim();

t.test('client: without the token, token-required; with it, every call', async t => {
  const plain = createClient({ baseUrl });
  await t.rejects(plain.listScanners(), { code: 'token-required' });
  t.match(await plain.diagnose(), { findings: [{ problem: 'token-required' }] });
  const client = createClient({ baseUrl, token });
  t.ok((await client.listScanners()).length > 0);
  await fixture.load('duplex', sheets(1));
  const scan = await client.startScan(fixture.name('duplex'), { resolution: 75 });
  let pages = 0;
  for await (const page of scan.pages()) pages += (await page.blob()).size > 0 ? 1 : 0;
  t.equal(pages, 1);
  await scan.done();
});
