/** Readers at work: as many as there are places, kept between pages, replaced when they stall, fail or are abandoned. */
import t from 'tap';
import { createCrew } from './crew.js';
import type { PageImage } from './pageImage.js';
import type { Reader } from './reader.js';

const image: PageImage = { file: new Uint8Array(1), dpi: 300 };
const prepare = async () => image;
const calm = new AbortController().signal;

/** Readers whose pages are finished by hand. */
function bench() {
  const readers: { pages: { finish(table: string): void; fail(error: Error): void }[]; ended: boolean }[] = [];
  const start = (): Reader => {
    const reader = { pages: [] as (typeof readers)[number]['pages'], ended: false };
    readers.push(reader);
    return {
      read: () => new Promise((finish, fail) => reader.pages.push({ finish, fail })),
      end: async () => void (reader.ended = true),
    };
  };
  return { readers, start };
}

const turn = () => new Promise(resolve => setImmediate(resolve));

t.test('no reader is started before there is a page, and one is kept between pages', async t => {
  const { readers, start } = bench();
  const crew = createCrew({ start, places: 2, pageMs: 60_000 });
  t.equal(readers.length, 0);
  for (const table of ['first', 'second']) {
    const reading = crew.read(prepare, calm);
    await turn();
    readers[0]?.pages.at(-1)?.finish(table);
    t.equal(await reading, table);
  }
  t.same([readers.length, readers[0]?.pages.length], [1, 2]);
});

t.test('as many pages as there are places are read at once; the others wait their turn', async t => {
  const { readers, start } = bench();
  const crew = createCrew({ start, places: 2, pageMs: 60_000 });
  let prepared = 0;
  const readings = ['a', 'b', 'c', 'd'].map(() => crew.read(async () => (prepared++, image), calm));
  await turn();
  t.same([readers.length, prepared], [2, 2], 'an image is made when it is its turn');
  readers[1]?.pages[0]?.finish('b');
  t.equal(await readings[1], 'b');
  await turn();
  t.same(readers.map(each => each.pages.length), [1, 2]);
  readers[1]?.pages[1]?.finish('c');
  await turn();
  readers[0]?.pages[0]?.finish('a');
  readers[1]?.pages[2]?.finish('d');
  t.same(await Promise.all(readings), ['a', 'b', 'c', 'd']);
});

t.test('a page with nothing to read takes no reader, and gives its place back', async t => {
  const { readers, start } = bench();
  const crew = createCrew({ start, places: 1, pageMs: 60_000 });
  for (let i = 0; i < 3; i++) t.equal(await crew.read(async () => undefined, calm), '');
  t.equal(readers.length, 0);
});

t.test('a reader that stalls is given up after the page’s time, and replaced', async t => {
  const { readers, start } = bench();
  const crew = createCrew({ start, places: 1, pageMs: 20 });
  const [stalled, next] = [crew.read(prepare, calm), crew.read(prepare, calm)];
  await t.rejects(stalled, { message: 'the engine was given up after 0.02 seconds' });
  while (!readers[1]?.pages[0]) await turn();
  readers[1].pages[0].finish('the next page');
  t.equal(await next, 'the next page', 'waiting does not count');
  t.same(readers.map(each => each.ended), [true, false]);
});

t.test('a reader that fails is replaced', async t => {
  const { readers, start } = bench();
  const crew = createCrew({ start, places: 1, pageMs: 60_000 });
  const failing = crew.read(prepare, calm);
  await turn();
  readers[0]?.pages[0]?.fail(new Error('the thread died'));
  await t.rejects(failing, { message: 'the thread died' });
  const next = crew.read(prepare, calm);
  await turn();
  readers[1]?.pages[0]?.finish('better');
  t.equal(await next, 'better');
  t.same(readers.map(each => each.ended), [true, false]);
});

t.test('an image that cannot be made costs its page only', async t => {
  const { readers, start } = bench();
  const crew = createCrew({ start, places: 1, pageMs: 60_000 });
  await t.rejects(crew.read(() => Promise.reject(new Error('no memory')), calm), { message: 'no memory' });
  const next = crew.read(prepare, calm);
  await turn();
  readers[0]?.pages[0]?.finish('read');
  t.equal(await next, 'read');
});

t.test('an abandoned page throws the signal’s reason: before, while it waits, while it is read', async t => {
  const { readers, start } = bench();
  const crew = createCrew({ start, places: 1, pageMs: 60_000 });
  const reason = new Error('abandoned');
  await t.rejects(crew.read(prepare, AbortSignal.abort(reason)), reason);
  const [first, second] = [new AbortController(), new AbortController()];
  const read = crew.read(prepare, first.signal);
  const waits = crew.read(prepare, second.signal);
  const last = crew.read(prepare, calm);
  await turn();
  second.abort(reason);
  await t.rejects(waits, reason);
  t.equal(readers.length, 1);
  first.abort(reason);
  await t.rejects(read, reason);
  await turn();
  t.equal(readers[0]?.ended, true);
  readers[1]?.pages[0]?.finish('the last page');
  t.equal(await last, 'the last page');
});

t.test('the end gives up what is read and what waits, and ends every reader, idle ones too', async t => {
  const { readers, start } = bench();
  const crew = createCrew({ start, places: 2, pageMs: 60_000 });
  const finished = crew.read(prepare, calm);
  const readings = [crew.read(prepare, calm), crew.read(prepare, calm)];
  await turn();
  readers[0]?.pages[0]?.finish('done');
  await finished;
  const idle = createCrew({ start, places: 1, pageMs: 60_000 });
  const once = idle.read(prepare, calm);
  await turn();
  readers[2]?.pages[0]?.finish('done');
  await once;
  await Promise.all([
    ...readings.map(each => t.rejects(each, { message: 'text recognition has ended' })),
    crew.close(),
    idle.close(),
  ]);
  t.same(readers.map(each => each.ended), [true, true, true]);
  await t.rejects(crew.read(prepare, calm), { message: 'text recognition has ended' });
  t.equal(readers.length, 3);
});
