/** Damaged files of kept scans, on demand and of auto-scans: a service starts with them, and answers what is asked of them. */
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fakeDriver, fakeFormat } from '@platen/conformance';
import { damaged, damagedJson, fuzzed, type Json } from '@platen/conformance/fuzz';
import { nullLog, openScanStore } from '@platen/core';
import * as fc from 'fast-check';
import type { LightMyRequestResponse } from 'fastify';
import t, { type Test } from 'tap';
import { buildApp } from './app.js';
import { composeFakes } from './compose.test.kit.js';
import { errorHeader } from './http/answers/errorHeader.js';
import { createLogger } from '../machine/log/log.js';
import { lines, documentService } from './routes/api/scans/document.test.kit.js';

const RUNS = 6;
/** Damaged folders in one start of a service: of scans, and of auto-scans. */
const FOLDERS = 12;

/** Valid files of one folder, by name. */
type Folder = Readonly<Record<string, Buffer>>;

const { ended, started, dataDir } = await documentService(t, { devices: [{ name: 'A' }], sheets: 2 });
const { id } = await ended(
  await started({}, { requestId: 'r', parameters: { report: true, duplexMode: 'DuplexLongEdge' } }),
);
const scanDir = join(dataDir, 'scans', id);
const scanFiles: Record<string, Buffer> = {};
for (const name of await readdir(scanDir)) scanFiles[name] = await readFile(join(scanDir, name));
const facts = JSON.parse(String(scanFiles['facts.json'])) as Record<string, Json>;
scanFiles['facts.json'] = Buffer.from(
  JSON.stringify({ ...facts, key: 'k', body: 'b', notes: [{ code: 'c', text: 'd' }] }),
);
const autoscanFacts: Json = {
  ...{ id, kind: 'autoscan', createdAt: 5, series: '123456789012345', origins: [''], scannerName: 'A', endedAt: 7 },
  end: { event: 'error', reason: 'device-lost', message: 'why' },
};
const autoscanFiles: Folder = { ...scanFiles, 'facts.json': Buffer.from(JSON.stringify(autoscanFacts)) };

/** One file is damaged, as JSON or as bytes; the folder keeps its own name. */
function folders(valid: Folder) {
  const names = Object.keys(valid).filter(each => each.endsWith('.json'));
  const one = fc.constantFrom('facts.json', ...names).chain(file => {
    const text = valid[file] as Buffer;
    const value = JSON.parse(String(text)) as Json;
    const bytes = fc.oneof(
      { weight: 3, arbitrary: damagedJson([value]).map(its => Buffer.from(JSON.stringify(its) ?? '')) },
      { weight: 1, arbitrary: damaged([text]) },
    );
    return bytes.map(its => ({ file, its }));
  });
  return one.map(({ file, its }): readonly [string, Folder] => {
    const folder = randomUUID();
    const files = { ...valid, [file]: its };
    try {
      const whole = JSON.parse(String(files['facts.json'])) as object;
      return [folder, { ...files, 'facts.json': Buffer.from(JSON.stringify({ ...whole, id: folder })) }];
    } catch {
      return [folder, files];
    }
  });
}
const scans = folders(scanFiles);
const autoscans = folders(autoscanFiles);

async function write(dir: string, all: readonly (readonly [string, Folder])[]): Promise<void> {
  for (const [name, files] of all) {
    await mkdir(join(dir, name), { mode: 0o700, recursive: true });
    for (const [file, bytes] of Object.entries(files)) await writeFile(join(dir, name, file), bytes);
  }
}

/** What the service logs. */
const failures: string[] = [];

function assertAnswered(url: string, { statusCode, body, headers }: LightMyRequestResponse): void {
  if (/internal/.test(String(headers[errorHeader.toLowerCase()])) || body.includes("See the service's log"))
    throw new Error(`${url} answers ${statusCode}: ${failures.at(-1)}`);
}

async function serve(dir: string): Promise<void> {
  const ends: (() => unknown)[] = [];
  const test = { teardown: (end: () => unknown) => void ends.unshift(end) } as Pick<Test, 'teardown'> as Test;
  const scanStore = await openScanStore(join(dir, 'scans'), nullLog);
  const contributions = {
    drivers: [fakeDriver({ devices: [{ name: 'A' }] })],
    formats: [fakeFormat({ name: 'Png' })],
    documents: [lines()],
  };
  const { routeParts } = await composeFakes(test, contributions, { parts: { scanStore } });
  const logger = createLogger('error', { write: line => void failures.push(line) });
  const app = await buildApp({ routeParts, security: { allowedHosts: ['localhost'] }, logger });
  ends.unshift(() => app.close());
  try {
    const get = async (url: string): Promise<LightMyRequestResponse> => {
      const answer = await app.inject({ url });
      assertAnswered(url, answer);
      return answer;
    };
    const list = (await get('/api/scans')).json<{ scans: { id: string }[] }>();
    for (const scan of list.scans) {
      const url = `/api/scans/${encodeURIComponent(scan.id)}`;
      for (const path of ['', '/pages/1', '/pages/2', '/documents', '/events']) await get(`${url}${path}`);
      // A page that is damaged breaks the connection, after the status.
      await app.inject({ url: `${url}/document` }).catch(() => undefined);
      assertAnswered(url, await app.inject({ method: 'DELETE', url }));
    }
  } finally {
    for (const end of ends) await end();
  }
}

t.test('kept files: damaged, the service starts, and answers or refuses', async () => {
  const all = fc.record({
    scans: fc.array(scans, { minLength: FOLDERS, maxLength: FOLDERS }),
    autoscans: fc.array(autoscans, { minLength: FOLDERS / 2, maxLength: FOLDERS / 2 }),
  });
  await fc.assert(
    fc.asyncProperty(all, async found => {
      const dir = await mkdtemp(join(tmpdir(), 'platen-damaged-'));
      try {
        await mkdir(join(dir, 'scans'), { mode: 0o700 });
        await write(join(dir, 'scans'), [...found.scans, ...found.autoscans]);
        await serve(dir);
      } finally {
        await rm(dir, { recursive: true, force: true });
      }
    }),
    // To make a folder smaller takes longer than to read what failed.
    { ...fuzzed(RUNS), endOnFailure: true },
  );
});
