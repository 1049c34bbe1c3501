import t from 'tap';
import { detailsIn } from './offers.js';
import { pluginOffers, readersOf, stateOf, switchIn, wishesOf, withSwitch, type Offer } from './plugins.js';
import { both } from './settings.test.kit.js';

const known = detailsIn(both);
const unit = { unit: { enum: ['mm', 'px'], default: 'mm' } };

function offerOf(name: string): Offer {
  const offer = pluginOffers(known, stateOf({})).find(each => each.name === name);
  if (!offer) throw new Error(`There is no ${name}.`);
  return offer;
}

t.test('plugins: recognisers with wishes, then processors', async t => {
  t.same(
    pluginOffers(known, stateOf({})).map(({ field, name }) => [field, name]),
    [
      ['recognise', 'stamp'],
      ['process', 'despeckle'],
    ],
  );
});

t.test('plugins: one that is switched off keeps its options, and is not sent', async t => {
  const stamp = offerOf('stamp');
  let state = withSwitch(stateOf({}), stamp, { isOn: true });
  t.same(wishesOf(known, state), { recognise: { stamp: {} } }, 'defaults are the plugin’s');
  state = withSwitch(state, stamp, { options: { unit: 'px' } });
  t.same(wishesOf(known, state), { recognise: { stamp: { unit: 'px' } } });
  state = withSwitch(state, stamp, { isOn: false });
  t.same(wishesOf(known, state), {});
  state = withSwitch(state, stamp, { isOn: true });
  t.same(wishesOf(known, state), { recognise: { stamp: { unit: 'px' } } });
});

t.test('plugins: what was remembered comes back; what is not installed any more is left out', async t => {
  const wishes = { process: { despeckle: { radius: 3 }, gone: {} }, readers: { barcode: 'gone', lost: 'x' } };
  const state = stateOf(wishes);
  t.same(switchIn(state, offerOf('despeckle')), { isOn: true, options: { radius: 3 } });
  t.same(wishesOf(known, state), { process: { despeckle: { radius: 3 } } });
});

t.test('plugins: a choice of readers where there are several; the first is not sent', async t => {
  t.same(readersOf(known, stateOf({})), [{ kind: 'barcode', names: ['first', 'second'], chosen: 'first' }]);
  t.same(wishesOf(known, stateOf({ readers: { barcode: 'second' } })), { readers: { barcode: 'second' } });
  t.same(wishesOf(known, stateOf({ readers: { barcode: 'first' } })), {});
});

t.test('plugins: the options are those of the reader that reads', async t => {
  const two = {
    recognisers: [
      { kind: 'stamp', name: 'plain', wishes: {} },
      { kind: 'stamp', name: 'fine', wishes: { properties: unit } },
    ],
    processors: [],
  };
  const optionsWith = (reader: string): readonly string[] =>
    pluginOffers(two, stateOf({ readers: { stamp: reader } })).flatMap(({ options }) =>
      options.map(({ name }) => name),
    );
  t.same(optionsWith('plain'), []);
  t.same(optionsWith('fine'), ['unit']);
});
