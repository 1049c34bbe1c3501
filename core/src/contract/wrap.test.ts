/** Wrapped drivers, sessions and pages: every facet of the contract is passed on, except the replaced ones. */
import { testPage } from '@platen/conformance';
import t from 'tap';
import type { Device, Driver, Session } from './driver.js';
import type { Page } from './page.js';
import { wrapDriver, wrapPages, wrapSession } from './wrap.js';

const signal = new AbortController().signal;

/** Each method reports its call and its `this`. A new facet does not compile until it is added here. */
function wholeSession(said: string[]): Required<Session> {
  const own: Required<Session> = {
    device: { id: 'a' } as Device,
    async capabilities() {
      said.push(`capabilities ${this === own}`);
      return {};
    },
    async status() {
      said.push(`status ${this === own}`);
      return { online: true, paper: 'unknown' };
    },
    watch() {
      said.push(`watch ${this === own}`);
      return () => undefined;
    },
    async *scan() {
      said.push(`scan ${this === own}`);
      yield* [];
    },
    async close() {
      said.push(`close ${this === own}`);
    },
  };
  return own;
}

function wholeDriver(said: string[]): Required<Driver> {
  const own: Required<Driver> = {
    id: 'acme',
    link: { peer: undefined, onChange: () => () => undefined },
    async *devices() {
      said.push(`devices ${this === own}`);
      yield* [];
    },
    async open() {
      said.push(`open ${this === own}`);
      return wholeSession(said);
    },
    watch() {
      said.push(`watch ${this === own}`);
      return () => undefined;
    },
    async insert() {
      said.push(`insert ${this === own}`);
    },
    async close() {
      said.push(`close ${this === own}`);
    },
  };
  return own;
}

/** Calls every method; a scan and a listing start when they are pulled. */
async function callAll(of: object): Promise<void> {
  for (const member of Object.keys(of)) {
    const value = of[member as keyof typeof of] as unknown;
    if (typeof value !== 'function') continue;
    const result: unknown = await (value as (...args: unknown[]) => unknown).call(of, {}, { signal });
    const iterator = (result as Partial<AsyncIterable<unknown>> | undefined)?.[Symbol.asyncIterator];
    if (iterator) await iterator.call(result).next();
  }
}

t.test('wrapSession, wrapDriver: nothing replaced, every facet reaches the one below', async t => {
  for (const make of [
    (said: string[]) => [wholeSession(said), wrapSession(wholeSession(said), {})] as const,
    (said: string[]) => [wholeDriver(said), wrapDriver(wholeDriver(said), {})] as const,
  ]) {
    const said: string[] = [];
    const [whole, wrapped] = make(said);
    t.same(Object.keys(wrapped).sort(), Object.keys(whole).sort());
    await callAll(wrapped);
    const methods = Object.entries(whole)
      .filter(([, value]) => typeof value === 'function')
      .map(([name]) => `${name} true`);
    t.same(said.sort(), methods.sort());
  }
});

t.test('wrapDriver, wrapSession: facets that the one below lacks are absent', async t => {
  const { link: _link, watch: _watch, insert: _insert, ...plain } = wholeDriver([]);
  const driver: Driver = plain;
  const wrapped = wrapDriver(driver, {});
  t.notOk('link' in wrapped);
  t.notOk('watch' in wrapped);
  t.equal(wrapped.insert, undefined);
  driver.insert = async () => undefined;
  t.ok(wrapped.insert, 'insert comes and goes');
  const { watch: _, ...session } = wholeSession([]);
  t.notOk('watch' in wrapSession(session, {}));
});

t.test('wrapDriver, wrapSession: a member is replaced, its getter stays one; undefined takes it away', async t => {
  let id = 'a';
  const session = wrapSession(wholeSession([]), {
    get device() {
      return { id } as Device;
    },
    watch: undefined,
  });
  id = 'b';
  t.equal(session.device.id, 'b');
  t.notOk('watch' in session);
  const driver = wrapDriver(wholeDriver([]), { id: 'other', link: undefined, insert: undefined });
  t.equal(driver.id, 'other');
  t.notOk('link' in driver);
  t.notOk('insert' in driver);
});

const page = testPage({ pixels: 'gray8' });

async function* three(): AsyncGenerator<Page> {
  for (let sheet = 1; sheet <= 3; sheet++) yield { ...page, sheet };
}

async function sheetsOf(pages: AsyncIterable<Page>): Promise<number[]> {
  const sheets: number[] = [];
  for await (const { sheet } of pages) sheets.push(sheet);
  return sheets;
}

t.test('wrapPages: onEnd is called once, after the last page, after a failure, after return()', async t => {
  let ends = 0;
  const onEnd = (): void => void ends++;
  t.same(await sheetsOf(wrapPages(three(), { onEnd })), [1, 2, 3]);
  t.equal(ends, 1);
  for await (const { sheet } of wrapPages(three(), { onEnd })) if (sheet === 2) break;
  t.equal(ends, 2);
  const failing = wrapPages(three(), { onEnd, pull: () => Promise.reject(new Error('jam')) })[Symbol.asyncIterator]();
  await t.rejects(failing.next(), /jam/);
  t.match(await failing.next(), { done: true });
  await failing.return?.();
  t.equal(ends, 3);
});

t.test('wrapPages: read throws on a page, the scan below is told to end and not waited for', async t => {
  let left = false;
  const raw: AsyncIterable<Page> = {
    [Symbol.asyncIterator]: () => ({
      next: async () => ({ done: false, value: page }),
      return: () => ((left = true), new Promise(() => undefined)),
    }),
  };
  const pages = wrapPages(raw, {
    read: () => {
      throw new Error('torn');
    },
  })[Symbol.asyncIterator]();
  await t.rejects(pages.next(), /torn/);
  t.ok(left);
  t.match(await pages.next(), { done: true });
});

t.test('wrapPages: return() while a page is awaited reaches the scan below at once', async t => {
  let left = false;
  const raw: AsyncIterable<Page> = {
    [Symbol.asyncIterator]: () => ({
      next: () => new Promise(() => undefined),
      return: async () => ((left = true), { done: true, value: undefined }),
    }),
  };
  const pages = wrapPages(raw, {})[Symbol.asyncIterator]();
  void pages.next();
  await pages.return?.();
  t.ok(left);
});
