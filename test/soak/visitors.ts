/** Clients beside those that scan: pages that list and watch, tabs that come and go, connections that are left. */
import { setTimeout as pause } from 'node:timers/promises';
import { connect } from '../topology/client.js';
import type { Caller } from './caller.js';
import type { House } from './house.js';
import type { Random } from './random.js';

type Visit = (caller: Caller, house: House, random: Random) => Promise<void>;

const list: Visit = async (caller, house, random) => {
  await caller.call('GET', '/api/twain/scanners', [200]);
  const { name } = random.pick(house.scanners);
  // A scan may have it open.
  await caller.call('GET', `/api/twain/scanners/${encodeURIComponent(name)}/capabilities?details=true`, [200, 409]);
};

const watch: Visit = async caller => {
  for (const path of [
    '/api/twain/status',
    '/api/twain/version',
    '/health',
    '/',
    '/api/scans',
    '/api/profiles',
    '/api/features',
  ])
    await caller.call('GET', path, [200]);
};

/** Loads the service's page, its scripts and the document of the interface; then it is reloaded: 304. */
const tab: Visit = async caller => {
  const files = ['/app/', '/client.js', '/openapi.json', '/reference'];
  for (const path of files) {
    const { headers } = await caller.call('GET', path, [200]);
    if (headers.etag !== undefined)
      await caller.call('GET', path, [304], { headers: { 'if-none-match': headers.etag } });
  }
  await caller.call('OPTIONS', '/api/scans', [204], {
    headers: { origin: 'https://shop.example', 'access-control-request-method': 'POST' },
  });
};

/** A tab that reads auto-scan's events while there are some, and is closed at any time. */
const reader: Visit = async (caller, _house, random) => {
  const stream = await caller.events([200, 409], {});
  await pause(random.whole(3000));
  stream.hangUp();
};

/** Connections that send nothing, or half a request, and leave. */
const silent: Visit = async (caller, _house, random) => {
  const socket = await connect(caller.port);
  socket.on('error', () => undefined);
  if (random.chance(0.5)) socket.write('POST /api/scans HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n{');
  await pause(random.whole(1500));
  socket.destroy();
};

const visits: readonly Visit[] = [list, list, watch, watch, tab, reader, silent];

/** One client after the other, until it is over. */
export async function visitUntil(isOver: () => boolean, caller: Caller, house: House, random: Random): Promise<void> {
  while (!isOver()) {
    await random.pick(visits)(caller, house, random);
    await pause(random.whole(700));
  }
}

/** Each kind of visit, once. */
export async function visitAll(caller: Caller, house: House, random: Random): Promise<void> {
  for (const visit of new Set(visits)) await visit(caller, house, random);
}
