/** Helpers for tests of auto-scan: enable it for the length of a test, and read its events. */
import type { Test } from 'tap';
import { whichSide, type Ink } from '../topology/sheets.js';
import type { EventStream, StreamEvent } from '../topology/events.js';
import type { Fixture, Role } from '../topology/topology.js';
import { fileOf, type Image, type Typed } from './calls.js';

type Done = Typed<{ success: boolean; message?: string; error?: string; notes?: readonly { code: string }[] }>;

/** `parameters` for tests that check pages. */
export const quick = { resolution: 75, colorMode: 'Color' } as const;

/** Enables it on a scanner; the end of the test disables it, closes the scanner and empties the feeder. */
export async function enable(
  t: Test,
  fixture: Fixture,
  role: Role,
  parameters: object = quick,
  asIs = false,
): Promise<Done> {
  t.teardown(async () => {
    await disable(fixture);
    await fixture.request('POST', '/api/twain', { body: { kind: 'twainlocalscanner', method: 'closeSource' } });
    await fixture.load(role, []);
  });
  const answer = await enableWith(fixture, { scannerName: fixture.name(role), parameters }, asIs);
  t.match(answer, { status: 200, json: { success: true, message: /Auto-scan is enabled/ } });
  return answer;
}

export async function enableWith(fixture: Fixture, body: object, asIs = false): Promise<Done> {
  return (await fixture.request('POST', '/api/twain/autoscan/enable', { body, asIs })) as Done;
}

export async function disable(fixture: Fixture): Promise<Done> {
  return (await fixture.request('POST', '/api/twain/autoscan/disable')) as Done;
}

/** A stream that is closed at the end of the test. */
export async function listen(t: Test, fixture: Fixture, lastEventId?: string): Promise<EventStream> {
  const stream = await fixture.events(lastEventId === undefined ? {} : { lastEventId });
  t.teardown(() => stream.hangUp());
  t.equal(stream.status, 200);
  return stream;
}

/** Events as lines: `1: 4` is page 1 with ink 4; `disabled: why`. */
export async function eventLines(events: readonly StreamEvent[]): Promise<string[]> {
  return Promise.all(
    events.map(async ({ event, data }) => {
      const { message, error } = data as { message?: string; error?: string };
      return event === 'image' ? `${imageOf(data).pageNumber}: ${await inkOf(data)}` : `${event}: ${message ?? error}`;
    }),
  );
}

export const imageOf = (data: unknown): Image => data as Image;

async function inkOf(data: unknown): Promise<Ink> {
  return (await whichSide(fileOf(imageOf(data)))).ink;
}
