/** What a session says of its device: capabilities, status, and events. */
import assert from 'node:assert/strict';
import { colorModes, pageSizes } from '@platen/core/driver';
import type { SourceCapabilities, Status } from '@platen/core/plugin';
import { adjustments } from '@platen/core/wire';
import { expectSame, orFail } from './expect.js';
import { listOf } from './facts.js';
import { neverAborted } from './scan.js';
import { needsFeeder, onSession, type DriverCase, type Trial } from './trial.js';

const statusOf = ({ session, within }: Trial, when: string): Promise<Status> =>
  within(session.status({ signal: neverAborted() }), `status ${when}`).catch(
    orFail(`status ${when} should answer, but fails`),
  );

export const stateCases: readonly DriverCase[] = [
  {
    id: 'capabilities-are-well-formed',
    title: 'each source has ascending resolutions and known words, and there is one at least',
    run: onSession(async ({ capabilities }) => {
      const sources = Object.entries(capabilities);
      assert.ok(sources.length > 0, 'capabilities should have a source (feeder, flatbed or both), but have none');
      for (const [name, source] of sources) {
        assert.ok(
          ['feeder', 'flatbed'].includes(name),
          `capabilities name a source "${name}"; known are feeder and flatbed`,
        );
        assertSource(name, source);
      }
    }),
  },
  {
    id: 'capabilities-agree-with-the-device',
    title: 'capabilities have the sources that the device has, and duplex where it has it',
    run: onSession(async ({ capabilities, features }) => {
      for (const source of ['feeder', 'flatbed'] as const) {
        assert.equal(
          capabilities[source] !== undefined,
          features[source],
          `features say ${source}: ${features[source]}; capabilities say otherwise`,
        );
      }
      const duplex = capabilities.feeder?.duplex ?? false;
      assert.equal(
        duplex,
        features.duplex,
        `features say duplex: ${features.duplex}; the feeder's capabilities say ${duplex}`,
      );
    }),
  },
  {
    id: 'status-is-well-formed',
    title: 'status has known words only',
    run: onSession(async trial => assertStatus(await statusOf(trial, 'of an idle device'))),
  },
  {
    id: 'status-tells-of-paper',
    title: 'the paper sensor, where there is one, tells an empty feeder from a loaded one',
    skip: needsFeeder,
    run: onSession(async trial => {
      const before = await statusOf(trial, 'of an empty feeder');
      assert.notEqual(before.paper, 'loaded', 'the feeder is empty, but status says loaded');
      await trial.rig.load(1);
      const after = await statusOf(trial, 'of a loaded feeder');
      assert.notEqual(after.paper, 'empty', 'a sheet was loaded, but status says empty');
    }),
  },
  {
    id: 'status-is-legal-while-scanning',
    title: 'status answers while a page is awaited and between pages, and the scan goes on',
    skip: needsFeeder,
    run: onSession(async trial => {
      await trial.rig.load(3);
      const scan = trial.scan();
      const first = scan.pull();
      assertStatus(await statusOf(trial, 'while a page is awaited'));
      await first;
      assertStatus(await statusOf(trial, 'between two pages'));
      expectSame(listOf(await scan.rest()), 'sheet 2 front, sheet 3 front', 'pages of the scan after status was asked');
    }),
  },
  {
    id: 'status-watch-can-be-ended',
    title: "what the session's watch returns ends it, also twice",
    run: onSession(async ({ session }) => {
      if (!session.watch) return; // An optional facet: core polls status instead.
      const end: unknown = session.watch(() => {});
      expectSame(typeof end, 'function', "the session's watch returns no function that ends it");
      for (const time of ['once', 'twice'])
        assert.doesNotThrow(end as () => void, `the session's watch cannot be ended ${time}`);
    }),
  },
  {
    id: 'status-watch-tells-of-paper',
    title: "where there is a paper sensor, the session's watch tells of a sheet that is inserted, until it is ended",
    skip: needsFeeder,
    run: onSession(async trial => {
      const { rig, session, within } = trial;
      if (!session.watch) return; // An optional facet: core polls status instead.
      let afterItsEnd = 0;
      session.watch(() => afterItsEnd++)();
      let end = () => {};
      const told = new Promise<void>(resolve => {
        end = session.watch!(event => event === 'paper' && resolve());
      });
      // As core does: once it is answered, a watch that goes over a link has begun.
      await statusOf(trial, 'of an empty feeder');
      await rig.load(1);
      const { paper } = await statusOf(trial, 'of a loaded feeder');
      if (paper === 'loaded') await within(told, "the event `paper` of the session's watch, after a sheet was loaded");
      end();
      expectSame(afterItsEnd, 0, "events that the session's watch told of after it was ended");
    }),
  },
];

function assertStatus({ online, paper, detected }: Status): void {
  expectSame(typeof online, 'boolean', 'status: type of online');
  assert.ok(
    ['loaded', 'empty', 'unknown'].includes(paper),
    `status: paper is "${paper}"; known are loaded, empty, unknown`,
  );
  const known = [undefined, 'paper-jam', 'double-feed', 'cover-open'];
  assert.ok(
    known.includes(detected),
    `status: detected is "${detected}"; known are paper-jam, double-feed, cover-open`,
  );
}

function assertSource(name: string, source: SourceCapabilities): void {
  const { resolutions } = source;
  assert.ok(resolutions.length > 0, `${name}: no resolution`);
  for (const [i, dpi] of resolutions.entries()) {
    assert.ok(Number.isInteger(dpi) && dpi > 0, `${name}: resolution ${dpi} is not a positive integer`);
    assert.ok(
      i === 0 || dpi > (resolutions[i - 1] ?? 0),
      `${name}: resolutions are not ascending: ${resolutions.join(', ')}`,
    );
  }
  expectSame(typeof source.duplex, 'boolean', `${name}: type of duplex`);
  assertWords(`${name}: colorModes`, source.colorModes, colorModes, 1);
  assertWords(`${name}: pageSizes`, source.pageSizes, pageSizes, 1);
  assertWords(`${name}: adjustments`, source.adjustments, adjustments, 0);
}

function assertWords(what: string, words: readonly string[], known: readonly string[], least: number): void {
  assert.ok(words.length >= least, `${what} are empty`);
  const strange = words.filter(word => !known.includes(word));
  assert.deepEqual(strange, [], `${what} have ${strange.join(', ')}; known are ${known.join(', ')}`);
  assert.equal(new Set(words).size, words.length, `${what} name one twice: ${words.join(', ')}`);
}
