/**
 * A service that runs out of file descriptors: a scan may fail, the service does not, and everything works once there
 * are enough.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { needs } from '@platen/conformance';
import t, { type Test } from 'tap';
import { get, scan, type ScanJson } from '../spec/calls.js';
import { start } from '../spec/specTest.js';
import { needsSane, saneTopology } from '../topology/saneTopology.js';
import { sheets } from '../topology/sheets.js';
import type { Fixture, FixtureOptions, Topology } from '../topology/topology.js';
import { virtualTopology } from '../topology/virtualTopology.js';

/** Limits the process to this many free descriptors; undefined restores the limit. */
function limit(pid: number, free: number | undefined): void {
  const taken = new Set(readdirSync(`/proc/${pid}/fd`).map(Number));
  let most = 0;
  for (let unused = 0; unused < (free ?? 0) || taken.has(most); most++) if (!taken.has(most)) unused++;
  execFileSync('prlimit', ['--pid', String(pid), `--nofile=${free === undefined ? 4096 : most}:`]);
}

/** Scans over an existing connection. @returns undefined where the service hung up */
async function scanOver(agent: Agent, fixture: Fixture, parameters: object): Promise<ScanJson | undefined> {
  const body = JSON.stringify({ scannerName: fixture.name('flatbed'), parameters });
  const headers = {
    host: `localhost:${fixture.port}`,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  };
  const call = request({
    agent,
    host: '127.0.0.1',
    port: fixture.port,
    method: 'POST',
    path: '/api/twain/scan',
    headers,
    rejectUnauthorized: false,
  });
  call.end(body);
  try {
    const [response] = await once(call, 'response');
    return JSON.parse(await text(response)) as ScanJson;
  } catch {
    return undefined;
  }
}

/** @param most the highest number of free descriptors to try, from 0 */
async function starve(
  t: Test,
  topology: Topology,
  options: FixtureOptions,
  parameters: object,
  most: number,
): Promise<void> {
  const fixture = await start(t, topology, options);
  await fixture.load('flatbed', sheets(1));
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  t.teardown(() => agent.destroy());
  const failed: (string | undefined)[] = [];
  for (let free = 0; free < most; free++) {
    limit(fixture.pid, undefined);
    t.match(await scanOver(agent, fixture, parameters), { success: true }, `before there are ${free} left`);
    limit(fixture.pid, free);
    const starved = await scanOver(agent, fixture, parameters);
    if (!starved?.success) failed.push(starved?.error);
  }
  limit(fixture.pid, undefined);
  t.ok(failed.length > 0, 'it was starved at times');
  t.match(await scan(fixture, 'flatbed', parameters), { status: 200, json: { imageCount: 1 } });
  t.match(await get(fixture, '/api/twain/scanners'), { status: 200 });
}

if (process.platform === 'linux' && needs(t, 'prlimit')) {
  if (needsSane(t))
    t.test('descriptors: SANE without free ones, no scanner stays open', t =>
      starve(t, saneTopology, {}, { resolution: 75 }, 20),
    );
  if (needs(t, 'tesseract')) {
    const recognisers = ['@platen/ocr'];
    t.test('descriptors: OCR’s program cannot be started, only its page fails', t =>
      starve(t, virtualTopology, { recognisers }, { resolution: 75, ocrEnabled: true }, 12),
    );
  }
}
