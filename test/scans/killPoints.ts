/** Twelve points of a scan at which its service can be killed, each reached by what can be seen from outside. */
import type { EventStream } from '../topology/events.js';
import type { Fixture, Role } from '../topology/topology.js';
import { download } from './download.js';
import { killIf, killWhen, untilRead } from './frozen.js';
import { keptFolder, keptIds } from './keptFolder.js';
import {
  bare,
  cancelScan,
  continueScan,
  deleteScan,
  ended,
  eventsOf,
  headersOf,
  pageOf,
  pagePath,
  startScan,
  type Caller,
  type PageJson,
} from '../spec/scanCalls.js';

/** Sheets in the feeder when a point is tried. */
export const SHEETS = 20;
/** Pages of a scan that is under way. */
const SOME = 5;

/** A scan as its client knows it. */
export interface Witness extends Caller {
  readonly key: string;
  readonly role: Role;
  /** Of its request; small pages when absent. */
  parameters?: object;
  /** Absent while its request is not answered. */
  id?: string;
  stream?: EventStream;
  /** Whole pages that the client has, by their numbers. */
  readonly files: Map<number, Buffer>;
  /** A page that the client has in part. */
  part?: { readonly page: PageJson; readonly bytes: Buffer };
  /** The client lets it go. */
  deleting?: boolean;
}

/** Starts a scan and kills its service. @returns false if the moment was missed: the service runs, try again */
type Point = (fixture: Fixture, witness: Witness) => Promise<boolean>;

async function begin(fixture: Fixture, witness: Witness): Promise<string> {
  const { status, json } = await startScan(fixture, witness.role, witness);
  if (status !== 201) throw new Error(`POST /api/scans: ${status} ${JSON.stringify(json)}`);
  return (witness.id = json.id);
}

async function listen(fixture: Fixture, witness: Witness): Promise<EventStream> {
  return (witness.stream = await eventsOf(fixture, witness.id ?? '', witness));
}

export const announced = ({ stream }: Witness): PageJson[] =>
  (stream?.events ?? []).filter(({ event }) => event === 'page').map(({ data }) => data as PageJson);

/** When so many pages were announced. @returns false if the scan ended before */
async function untilAnnounced(witness: Witness, count: number): Promise<boolean> {
  const { stream } = witness;
  for (let events = 1; announced(witness).length < count; events++)
    if (!(await stream?.come(events).catch(() => undefined))) return false;
  return true;
}

/** A scan under way, of which some pages were announced. */
async function underWay(fixture: Fixture, witness: Witness): Promise<boolean> {
  await begin(fixture, witness);
  await listen(fixture, witness);
  return untilAnnounced(witness, SOME);
}

const folderOf = (fixture: Fixture, { id = '' }: Witness) => keptFolder(fixture, id);
const untilOver = (fixture: Fixture, witness: Witness) => () => ended(fixture, witness.id ?? '', witness);

/** The moment is one of the folder's, after the scan has begun. */
const whenFolder =
  (isIt: (folder: ReturnType<typeof keptFolder>) => boolean): Point =>
  async (fixture, witness) => {
    await begin(fixture, witness);
    await listen(fixture, witness);
    return killWhen(fixture, () => isIt(folderOf(fixture, witness)), untilOver(fixture, witness));
  };

export const points: Readonly<Record<string, Point>> = {
  'before the first page': async (fixture, witness) => {
    await begin(fixture, witness);
    return killIf(fixture, () => folderOf(fixture, witness).images.length === 0);
  },

  'while POST is answered': async (fixture, witness) => {
    let length = 0;
    const before = keptIds(fixture);
    const answer = begin(fixture, witness).finally(() => length++);
    answer.catch(() => undefined);
    const isNew = (id: string): boolean => !before.includes(id) && keptFolder(fixture, id).state === 'running';
    const isIt = async (): Promise<boolean> => {
      await untilRead(() => length);
      return length === 0 && keptIds(fixture).some(isNew);
    };
    const killed = await killWhen(fixture, isIt, async () => ended(fixture, await answer, witness));
    if (!killed) await answer;
    return killed;
  },

  'in the middle of a page': async (fixture, witness) => {
    await begin(fixture, witness);
    const stream = await listen(fixture, witness);
    for (let count = 1; await stream.come(count).catch(() => undefined); count++) {
      const { event, data } = stream.events[count - 1] ?? {};
      if (event !== 'progress') continue;
      const { scanned } = data as { readonly scanned: number };
      if (scanned >= SOME && (await killIf(fixture, () => folderOf(fixture, witness).images.length < scanned)))
        return true;
    }
    return false;
  },

  'after a page’s file, before its facts': whenFolder(
    ({ images, pages }) => pages.length >= SOME && images.length > pages.length,
  ),

  'between a page and its event': async (fixture, witness) => {
    await begin(fixture, witness);
    const stream = await listen(fixture, witness);
    const isIt = async (): Promise<boolean> => {
      await untilRead(() => stream.text.length);
      const { pages } = folderOf(fixture, witness);
      return pages.length >= SOME && pages.length > announced(witness).length;
    };
    return killWhen(fixture, isIt, untilOver(fixture, witness));
  },

  'while a page is answered': async (fixture, witness) => {
    witness.parameters = bare;
    if (!(await underWay(fixture, witness))) return false;
    for (const page of announced(witness)) {
      let killing: Promise<boolean> | undefined;
      const path = pagePath(witness.id ?? '', page.number);
      const reading = await download(fixture, path, headersOf(witness), received => {
        killing ??= killIf(fixture, () => received < page.bytes);
      });
      const isWhole = await reading.ended;
      if (!(await killing)) continue;
      if (isWhole) witness.files.set(page.number, reading.bytes());
      else witness.part = { page, bytes: reading.bytes() };
      return true;
    }
    return false;
  },

  'while events are sent': async (fixture, witness) => {
    await begin(fixture, witness);
    await listen(fixture, witness);
    for (let number = 1; number <= SOME; number++) {
      if (!(await untilAnnounced(witness, number))) return false;
      witness.files.set(number, (await pageOf(fixture, witness.id ?? '', number, witness)).bytes);
    }
    return killIf(fixture, () => true);
  },

  'during cancel': async (fixture, witness) => {
    if (!(await underWay(fixture, witness))) return false;
    await cancelScan(fixture, witness.id ?? '', witness);
    return killIf(fixture, () => folderOf(fixture, witness).state === 'running');
  },

  'during continue': async (fixture, witness) => {
    if (!(await underWay(fixture, witness))) return false;
    await cancelScan(fixture, witness.id ?? '', witness);
    const { state, pageCount } = await ended(fixture, witness.id ?? '', witness);
    if (state !== 'cancelled') return false;
    const isIt = (): boolean => {
      const folder = folderOf(fixture, witness);
      return folder.state === 'running' && folder.pages.length === pageCount;
    };
    return killWhen(fixture, isIt, async () => {
      await continueScan(fixture, witness.id ?? '', witness);
      await ended(fixture, witness.id ?? '', witness);
    });
  },

  'after the last page, before the state': whenFolder(
    ({ pages, state }) => pages.length === SHEETS && state === 'running',
  ),

  'during DELETE': async (fixture, witness) => {
    await begin(fixture, witness);
    await ended(fixture, witness.id ?? '', witness);
    witness.deleting = true;
    const isIt = (): boolean => {
      const { files, state } = folderOf(fixture, witness);
      return files.length > 0 && state === undefined;
    };
    return killWhen(fixture, isIt, () => deleteScan(fixture, witness.id ?? '', witness));
  },

  'while an unread scan waits': async (fixture, witness) => {
    await begin(fixture, witness);
    await ended(fixture, witness.id ?? '', witness);
    return killIf(fixture, () => true);
  },
};
