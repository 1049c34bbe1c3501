/** Modes: colour modes in the spellings of real backends. */
import t from 'tap';
import { backends, type Backend } from '../backends.test.kit.js';
import type { Descriptor } from '../handle.js';
import { depthFor, modesOf } from './modes.js';

const look = { format: 'rgb', depth: 8 };
const usual = { Color: { mode: 'Color' }, Grayscale: { mode: 'Gray' }, BlackAndWhite: { mode: 'Lineart' } };
const table: Readonly<Partial<Record<Backend, object>>> = {
  fujitsu: usual,
  epsonds: usual,
  pixma: usual,
  genesys: { Color: { mode: 'Color' }, Grayscale: { mode: 'Gray' } },
  brother: {
    Color: { mode: '24bit Color' },
    Grayscale: { mode: 'True Gray' },
    BlackAndWhite: { mode: 'Black & White' },
  },
  avision: usual,
  hp5590: usual,
};

const withModes = (...strings: string[]): Descriptor[] =>
  backends.fujitsu.map(each => (each.name === 'mode' ? { ...each, constraint: { strings } } : each));

t.test('modes: each colour, the usual mode, not the richer or faster ones', async t => {
  for (const [name, modes] of Object.entries(table))
    t.strictSame(modesOf(backends[name as Backend], look), modes, name);
});

t.test('modes: only a mode with more bits or with dots, that one', async t => {
  t.strictSame(modesOf(withModes('48 bits color', '16 bits gray', 'Halftone'), look), {
    Color: { mode: '48 bits color' },
    Grayscale: { mode: '16 bits gray' },
    BlackAndWhite: { mode: 'Halftone' },
  });
  t.strictSame(
    modesOf(withModes('Gray[Error Diffusion]'), look),
    { BlackAndWhite: { mode: 'Gray[Error Diffusion]' } },
    'it is one bit per pixel',
  );
});

t.test('other spellings', async t => {
  t.strictSame(modesOf(withModes('Binary', 'Grayscale', 'RGB'), look), {
    Color: { mode: 'RGB' },
    Grayscale: { mode: 'Grayscale' },
    BlackAndWhite: { mode: 'Binary' },
  });
  t.strictSame(modesOf(withModes('Line Art', 'Grey', 'Colour'), look), {
    Color: { mode: 'Colour' },
    Grayscale: { mode: 'Grey' },
    BlackAndWhite: { mode: 'Line Art' },
  });
  t.strictSame(modesOf(withModes('Color', 'Negative color', 'Infrared'), look), { Color: { mode: 'Color' } });
});

t.test('modes: a backend without modes, by the format of its pages', async t => {
  t.strictSame(modesOf([], { format: 'gray', depth: 8 }), { Grayscale: {} });
  t.strictSame(modesOf([], { format: 'gray', depth: 1 }), { BlackAndWhite: {} });
  t.strictSame(modesOf([], { format: 'red', depth: 8 }), { Color: {} });
  t.strictSame(modesOf(withModes('Super', 'Hyper'), look), { Color: {} }, 'unknown values');
});

t.test('modes: black and white as grey of depth 1, found', async t => {
  const depths = (...words: number[]): Descriptor[] => [
    ...withModes('Gray', 'Color'),
    { ...backends.epsonds.find(each => each.name === 'depth')!, constraint: { words } },
  ];
  const modes = modesOf(depths(1, 8, 16), look);
  t.strictSame(modes, {
    Color: { mode: 'Color' },
    Grayscale: { mode: 'Gray' },
    BlackAndWhite: { mode: 'Gray', depth: 1 },
  });
  t.equal(depthFor(depths(1, 8, 16), 'BlackAndWhite', modes.BlackAndWhite!), 1);
  t.equal(depthFor(depths(1, 8, 16), 'Color', modes.Color!), 8, 'never one bit of colour');
  t.equal(depthFor(depths(16, 8), 'Grayscale', modes.Grayscale!), 8);
  t.equal(depthFor(depths(16), 'Grayscale', modes.Grayscale!), 16, 'the high byte is kept');
  t.equal(depthFor(withModes('Gray'), 'Grayscale', { mode: 'Gray' }), undefined, 'no depth, nothing to set');
});
