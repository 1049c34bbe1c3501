/** The README's commands for curl, as a new user pastes them, against the service that `npm start` runs. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { needs } from '@platen/conformance';
import t from 'tap';
import { installCertificate } from '../topology/certificate.js';
import { request } from '../topology/client.js';
import { serve } from '../topology/platen.js';

const run = promisify(execFile);
const clone = fileURLToPath(new URL('../../..', import.meta.url));

/** The lines of the first block of commands under this heading. */
function commands(page: string, heading: string): string {
  const [, under = ''] = page.split(`## ${heading}\n`);
  const [, block = ''] = /```sh\n([^]*?)```/.exec(under) ?? [];
  return block;
}

t.test('README: the lines for curl start a scan, fetch a page and a PDF, and show the scan', async t => {
  if (!needs(t, 'curl') || !needs(t, 'bash')) return;
  const cwd = await mkdtemp(join(tmpdir(), 'platen-readme-'));
  t.teardown(() => rm(cwd, { recursive: true, force: true }));
  const env = { PLATEN_DATA_DIR: join(cwd, 'data'), PLATEN_PORT: '0' };
  await installCertificate(env.PLATEN_DATA_DIR, 'valid');
  const service = await serve(['--config', join(clone, 'server/config/try.json')], { env });
  const { port } = service;
  t.teardown(async () => {
    service.signal('SIGTERM');
    await service.ended;
  });
  for (const page of ['README.md', 'docs/http-interface.md']) {
    const heading = page === 'README.md' ? 'Scan with curl' : 'Scans';
    const lines = commands(await readFile(join(clone, page), 'utf8'), heading);
    const { stdout } = await run('bash', ['-ec', lines.replaceAll('localhost:53052', `localhost:${port}`)], { cwd });
    const scan = JSON.parse(stdout) as { id: string; state: string; pages: { number: number; bytes: number }[] };
    t.match(scan.state, /^(running|completed)$/, page);
    const first = await readFile(join(cwd, 'page-1.png'));
    t.equal(first.subarray(1, 4).toString(), 'PNG', page);
    t.equal(first.length, scan.pages[0]?.bytes, page);
    if (page !== 'README.md') continue;
    const pdf = await readFile(join(cwd, 'letter.pdf'), 'latin1');
    t.match(pdf, /^%PDF-[^]*%%EOF\s*$/);
    // Answers when the scan is over.
    t.match(await request(port, 'GET', `/api/scans/${scan.id}/pages/999?wait=60`), { status: 404 });
  }
});
