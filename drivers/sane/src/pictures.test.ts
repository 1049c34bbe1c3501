/** Pages of the real test backend: pixel for pixel those of scanimage with the same options. */
import { packedRows, type ColorMode } from '@platen/core/plugin';
import t from 'tap';
import { needsSane, scanimage } from './native.test.kit.js';
import { never, scanned, testBackend } from './rig.test.kit.js';

interface Case {
  readonly colorMode: ColorMode;
  /** Lines of test.conf; scanimage reads its defaults from there, too. */
  readonly conf?: readonly string[];
  readonly args: readonly string[];
}

const color: Case = { colorMode: 'Color', args: ['--mode', 'Color', '--depth', '8'] };
const cases: Readonly<Record<string, Case>> = {
  colour: color,
  grey: { colorMode: 'Grayscale', args: ['--mode', 'Gray', '--depth', '8'] },
  'one bit': { colorMode: 'BlackAndWhite', args: ['--mode', 'Gray', '--depth', '1'] },
  'three passes': { ...color, conf: ['mode Color', 'three-pass true', 'three-pass-order BRG'] },
  'a hand scanner of unknown height': { ...color, conf: ['hand-scanner true'] },
  'lines with invalid pixels at the end': { ...color, conf: ['ppl-loss 7'] },
  'parameters that change at the start': { ...color, conf: ['fuzzy-parameters true'] },
  'a backend that reads a little at a time': { ...color, conf: ['read-limit true', 'read-limit-size 1000'] },
};

if (needsSane(t)) {
  for (const [name, { colorMode, conf = [], args }] of Object.entries(cases)) {
    t.test(name, async t => {
      const { driver, deviceId, config, dispose } = await testBackend({}, ['test-picture "Color pattern"', ...conf]);
      t.teardown(dispose);
      const session = await driver.open(deviceId, { signal: never() });
      const { pages, message } = await scanned(session, { source: 'flatbed', colorMode, resolution: 100 });
      t.equal(message, '');
      const page = pages[0]!;
      const area = conf.includes('hand-scanner true') ? [] : ['-l', '0', '-t', '0', '-x', '105', '-y', '148'];
      const env = { ...process.env, SANE_CONFIG_DIR: config };
      const expected = pnm(await scanimage(env, ['--source', 'Flatbed', ...args, '--resolution', '100', ...area]));
      t.strictSame({ width: page.width, height: page.height, dpi: page.dpi }, { ...expected.size, dpi: 100 });
      // scanimage writes such lines completely, although its header has the smaller width.
      const pixels = expected.pixels.length === page.data.length ? page.data : packedRows(page);
      t.ok(expected.pixels.equals(pixels), 'the same pixels');
      t.ok(new Set(expected.pixels).size > 1, 'the picture is not blank');
    });
  }
}

function pnm(file: Buffer): { size: { width: number; height: number }; pixels: Buffer } {
  const header = /^P([456])\s(?:#[^\n]*\n)*(\d+)\s(\d+)\s(?:255\s)?/.exec(file.subarray(0, 200).toString('latin1'));
  if (!header) throw new Error(`scanimage wrote no PNM file: ${file.subarray(0, 40).toString()}`);
  return { size: { width: Number(header[2]), height: Number(header[3]) }, pixels: file.subarray(header[0].length) };
}
