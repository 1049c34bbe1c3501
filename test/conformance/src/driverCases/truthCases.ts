/** Promise 5: the order of pages, and what they say of themselves. */
import assert from 'node:assert/strict';
import { codeOf, type ColorMode, type Page, type Pixels } from '@platen/core/plugin';
import { assertFacts, listOf } from './facts.js';
import { cause, causes, needsDuplex, needsFeeder, onSession, type DriverCase } from './trial.js';
import { expectSame, failsWith, wordsOf } from './expect.js';

const pixelsOf: Readonly<Record<ColorMode, Pixels>> = { Color: 'rgb24', Grayscale: 'gray8', BlackAndWhite: 'bw1' };

export const truthCases: readonly DriverCase[] = [
  {
    id: '5-sheets-come-in-order',
    title: 'fronts come in the order of their sheets, counted from 1',
    skip: needsFeeder,
    run: onSession(async trial => {
      await trial.rig.load(3);
      const pages = await trial.scan().rest();
      expectSame(
        listOf(pages),
        'sheet 1 front, sheet 2 front, sheet 3 front',
        'pages of a simplex scan of three sheets',
      );
    }),
  },
  {
    id: '5-numbers-begin-anew-with-each-scan',
    title: 'the sheets of a second scan are counted from 1 again',
    skip: needsFeeder,
    run: onSession(async trial => {
      for (const which of ['first', 'second']) {
        await trial.rig.load(1);
        expectSame(listOf(await trial.scan().rest()), 'sheet 1 front', `pages of the ${which} scan, of one sheet`);
      }
    }),
  },
  {
    id: '5-front-before-back',
    title: 'a duplex scan yields front and back of each sheet',
    skip: needsDuplex,
    run: onSession(async trial => {
      await trial.rig.load(2);
      const pages = await trial.scan({ duplexMode: 'DuplexLongEdge' }).rest();
      const wanted = 'sheet 1 front, sheet 1 back, sheet 2 front, sheet 2 back';
      expectSame(listOf(pages), wanted, 'pages of a duplex scan of two sheets');
    }),
  },
  {
    id: '5-facts-are-true',
    title: "a page's size, stride and kind are those of its bytes",
    run: onSession(async trial => {
      if (trial.features.feeder) await trial.rig.load(2);
      const duplexMode = trial.features.feeder && trial.features.duplex ? 'DuplexLongEdge' : 'Simplex';
      const pages = await trial.scan({ duplexMode }).rest();
      assert.ok(pages.length > 0, 'a loaded sheet was scanned, but no page came');
      for (const page of pages) await assertFacts(page);
    }),
  },
  {
    id: '5-color-modes-are-told-truly',
    title: 'in every colour mode that it offers the page is of that colour, or says which one it is of',
    run: onSession(async trial => {
      const offered = trial.capabilities[trial.features.feeder ? 'feeder' : 'flatbed']?.colorModes ?? [];
      for (const colorMode of offered) {
        if (trial.features.feeder) await trial.rig.load(1);
        const pages = await trial.scan({ colorMode }).rest();
        assert.ok(pages.length > 0, `a sheet was scanned in ${colorMode}, but no page came`);
        for (const page of pages) await assertColour(page, colorMode);
      }
    }),
  },
  {
    id: '5-jam-yields-no-torn-page',
    title: 'a sheet that jams is not yielded, the sheets before it are',
    skip: needsFeeder,
    untried: causes('paper-jam'),
    run: onSession(async trial => {
      await trial.rig.load(3);
      await cause(trial.rig, 2, 'paper-jam');
      const scan = trial.scan();
      const pages: Page[] = [];
      try {
        for (let page = await scan.pull(); page; page = await scan.pull()) pages.push(page);
      } catch (error) {
        assert.equal(codeOf(error), 'paper-jam', `sheet 2 jams, but the scan failed with ${wordsOf(error)}`);
      }
      expectSame(listOf(pages), 'sheet 1 front', 'pages of a scan whose sheet 2 jams');
      for (const page of pages) await assertFacts(page);
    }),
  },
  {
    id: '5-torn-page-is-no-page',
    title: 'a truncated page of the device is not yielded, the pages before it are',
    skip: needsFeeder,
    untried: ({ tears }) => (tears ? undefined : 'the rig cannot make the device deliver a truncated page'),
    hint:
      'Fix: check the end of the data (the EOI of a JPEG, the announced number of rows) before yielding the page; ' +
      'where it is missing, throw `driver-failed`, or the error that the device reports.',
    run: onSession(async trial => {
      await trial.rig.load(2);
      assert.ok(trial.rig.tear, 'features.tears is true, so the rig needs tear()');
      await trial.rig.tear(2);
      const scan = trial.scan();
      const pages: Page[] = [];
      const torn = (async () => {
        for (let page = await scan.pull(); page; page = await scan.pull()) {
          pages.push(page);
          await assertFacts(page);
        }
      })();
      await failsWith(torn, undefined, 'sheet 2 is truncated: the scan');
      expectSame(listOf(pages), 'sheet 1 front', 'pages of a scan whose sheet 2 is truncated');
    }),
  },
];

/** A wish may be ignored, so another colour is no failure; but the bytes must be of the colour that the page names. */
async function assertColour(page: Page, wish: ColorMode): Promise<void> {
  try {
    await assertFacts(page);
  } catch (error) {
    const ignored = page.pixels === pixelsOf[wish] ? '' : `, says that it ignored it and is ${page.pixels}`;
    const found = error instanceof Error ? error.message : String(error);
    assert.fail(`the page that was asked for in ${wish}${ignored}, but: ${found}`);
  }
}
