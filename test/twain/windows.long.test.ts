/** TWAIN on Windows (Wine): a client scans over HTTPS from the desktop application's sources; pages are compared pixel for pixel. */
import sharp from 'sharp';
import t, { type Test } from 'tap';
import { firstWrongRow } from '@platen/driver-twain-windows/picture';
import { needsWine, sourceName } from '@platen/driver-twain-windows/wine';
import { document } from '../topology/shapes.js';
import { fileOf, until, type Image, type ScanJson } from '../spec/calls.js';
import { startWindows, type Program, type Windows } from './windows.js';

/** TWAIN's constants. */
const pixelTypes = { BlackAndWhite: 0, Grayscale: 1, Color: 2 } as const;
type ColorMode = keyof typeof pixelTypes;

/** Fields whose words are those of the loaded plugins. */
const pluginFields = ['recognise', 'process', 'readers', 'barcodeFormats', 'imageFormat', 'outputFormat'];

/** What the interface is without any plugin. */
const fixed = ({ paths, components }: Pick<typeof document, 'paths' | 'components'>): unknown =>
  JSON.parse(
    JSON.stringify({ paths, components }, (name, value: unknown) => (pluginFields.includes(name) ? undefined : value)),
  );

interface Side {
  readonly sheet: number;
  readonly side: 0 | 1;
}

async function scan(windows: Windows, bits: 64 | 32, parameters: object): Promise<{ status: number; json: ScanJson }> {
  const { status, json } = await windows.request('POST', '/api/twain/scan', {
    scannerName: sourceName(bits),
    parameters: { resolution: 75, pageSize: 'A5', imageFormat: 'Png', ...parameters },
  });
  return { status, json: json as ScanJson };
}

/** Asserts that the pages are exactly the formula's pictures of these sides. */
async function arePictures(t: Test, images: readonly Image[], mode: ColorMode, sides: readonly Side[]): Promise<void> {
  t.equal(images.length, sides.length, 'one page per side');
  for (const [at, image] of images.entries()) {
    const { data, info } = await sharp(fileOf(image))
      .toColourspace(mode === 'Color' ? 'srgb' : 'b-w')
      .raw()
      .toBuffer({ resolveWithObject: true });
    const { width, height, channels } = info;
    t.strictSame([channels, image.width, image.height], [mode === 'Color' ? 3 : 1, width, height]);
    const bits = mode === 'BlackAndWhite';
    const page = {
      width,
      height,
      pixels: bits ? 'bw1' : mode === 'Color' ? 'rgb24' : 'gray8',
      stride: bits ? Math.ceil(width / 8) : width * channels,
    } as const;
    t.equal(
      firstWrongRow({ ...page, data: bits ? packed(data, width, height) : data }, sides[at]!, pixelTypes[mode]),
      -1,
      `page ${at + 1}`,
    );
  }
}

/** Bytes of 0 and 255 as bits: 1 is black. */
function packed(data: Uint8Array, width: number, height: number): Uint8Array {
  const stride = Math.ceil(width / 8);
  const bits = new Uint8Array(stride * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) if (data[y * width + x]! < 128) bits[y * stride + (x >> 3)]! |= 0x80 >> (x & 7);
  return bits;
}

const sidesOf = (sheets: number, duplex: boolean): Side[] =>
  Array.from({ length: sheets }, (_, i) => i + 1).flatMap(sheet =>
    duplex ? [{ sheet, side: 0 } as const, { sheet, side: 1 } as const] : [{ sheet, side: 0 } as const],
  );

if (needsWine(t)) {
  const windows = await startWindows();
  t.teardown(() => windows.dispose());

  const quirks = { Native: { topdown: 1 }, Buffered: { stride: 7, rows: 100, unknownlength: 1 } } as const;
  for (const bits of [64, 32] as const) {
    for (const transferMode of ['Native', 'Buffered'] as const) {
      await t.test(`${bits} bits, ${transferMode}: 1, 8 and 24 bits a pixel, one side and both`, async t => {
        for (const colorMode of ['BlackAndWhite', 'Grayscale', 'Color'] as const) {
          for (const duplexMode of ['Simplex', 'DuplexLongEdge'] as const) {
            const duplex = duplexMode !== 'Simplex';
            await windows.set({ sheets: 2, ...(duplex ? quirks[transferMode] : { flavor: 'vanilla' }) });
            const { status, json } = await scan(windows, bits, { transferMode, colorMode, duplexMode });
            if (!t.equal(status, 200, `${colorMode}, ${duplexMode}`)) t.comment(json, await windows.said());
            await arePictures(t, json.images, colorMode, sidesOf(2, duplex));
          }
        }
      });
    }
  }

  await t.test('the interface: the same as on every platform', async t => {
    t.strictSame(fixed((await windows.request('GET', '/openapi.json')).json as typeof document), fixed(document));
    const { json } = await windows.request('GET', '/api/twain/scanners');
    t.ok((json as { scanners: { name: string }[] }).scanners.some(({ name }) => name === sourceName(64)));
  });

  await t.test('no transferMode: the transfer is native', async t => {
    await windows.set({ sheets: 1 });
    const before = (await windows.triplets()).length;
    t.equal((await scan(windows, 64, { colorMode: 'Grayscale' })).status, 200);
    const sent = (await windows.triplets()).slice(before);
    t.ok(
      sent.some(line => line.startsWith('2 104 1 ')),
      'DAT_IMAGENATIVEXFER, MSG_GET',
    );
    t.notOk(
      sent.some(line => line.startsWith('2 103 ')),
      'DAT_IMAGEMEMXFER',
    );
  });

  await t.test('an empty feeder: scans from the flatbed', async t => {
    await windows.set({ sheets: 0 });
    const { status, json } = await scan(windows, 32, { colorMode: 'Color' });
    t.equal(status, 200, json.message);
    await arePictures(t, json.images, 'Color', [{ sheet: 0, side: 0 }]);
  });

  await t.test('a jam or a crash of the source: earlier pages are kept, and the next scan works', async t => {
    for (const [fault, status] of [
      ['jam', 'PaperJam'],
      ['crash', 'DriverFailed'],
    ] as const) {
      await windows.set({ sheets: 3, fault, faultAfter: 1 });
      const { json } = await scan(windows, 64, { colorMode: 'Grayscale' });
      t.match(json, { success: false, status, imageCount: 1 }, fault);
      await arePictures(t, json.images, 'Grayscale', [{ sheet: 1, side: 0 }]);
      await windows.set({ sheets: 1 });
      t.equal((await scan(windows, 64, { colorMode: 'Grayscale' })).status, 200, `after a ${fault}`);
    }
  });

  await t.test('a source that refuses to be closed: the next scan works', async t => {
    for (const bits of [64, 32] as const) {
      const opened = await windows.request('POST', '/api/twain', {
        kind: 'twainlocalscanner',
        method: 'openSource',
        params: { sourceName: sourceName(bits) },
      });
      t.equal(opened.status, 200, opened.text);
      await windows.set({ sheets: 2, fault: 'operationerror', faultAfter: 1, unclosed: 1 });
      t.match(
        (await scan(windows, bits, { colorMode: 'Grayscale' })).json,
        { success: false, status: 'DriverFailed', imageCount: 1 },
        'closing it is refused',
      );
      for (let i = 0; i < 2; i++) {
        await windows.set({ sheets: 1, unclosed: 1 });
        const { status, json } = await scan(windows, bits, { colorMode: 'Grayscale' });
        t.equal(status, 200, `${bits} bits: ${json.message}`);
      }
    }
    await windows.request('POST', '/api/twain', { kind: 'twainlocalscanner', method: 'closeSource' });
  });

  await t.test('auto-scan: inserted sheets, their pages arrive', async t => {
    await windows.set({ sheets: 0 });
    const parameters = { resolution: 75, pageSize: 'A5', colorMode: 'Grayscale', duplexMode: 'DuplexLongEdge' };
    const enabled = await windows.request('POST', '/api/twain/autoscan/enable', {
      scannerName: sourceName(64),
      parameters,
    });
    t.equal(enabled.status, 200, enabled.text);
    const events = await windows.events();
    await windows.set({ sheets: 2 });
    const pages = (await events.come(4)).filter(({ event }) => event === 'image');
    await arePictures(
      t,
      pages.map(({ data }) => data as Image),
      'Grayscale',
      sidesOf(2, true),
    );
    t.equal((await windows.request('POST', '/api/twain/autoscan/disable')).status, 200);
    await events.ended;
    await windows.request('POST', '/api/twain', { kind: 'twainlocalscanner', method: 'closeSource' });
  });

  await t.test('the rest of npm start: virtual scanners in their own process, barcodes, JPEG', async t => {
    const parameters = { resolution: 200, imageFormat: 'Jpeg', barcodeReadingEnabled: true };
    const { status, text, json } = await windows.request('POST', '/api/twain/scan', {
      scannerName: 'Feeder A',
      parameters,
    });
    t.equal(status, 200, text.slice(0, 500));
    const { images } = json as { images: readonly (Image & { barcodes: readonly { barcodeType: string }[] })[] };
    t.strictSame(
      images.map(({ mimeType }) => mimeType),
      ['image/jpeg', 'image/jpeg', 'image/jpeg'],
    );
    t.ok(images.some(({ barcodes }) => barcodes.some(({ barcodeType }) => barcodeType === 'QR_CODE')));
  });

  await t.test(
    'a second service on the data folder, a second desktop application on the channel: rejected',
    async t => {
      const commands = [['serve'], ['host', '--no-wait'], ['serve', '--config', 'C:\\no\\such.json']];
      const [service, host, unknown] = (await Promise.all(commands.map(args => windows.platen(args)))) as [
        Program,
        Program,
        Program,
      ];
      t.strictSame(
        [await service.ended, await host.ended, await unknown.ended],
        [6, 9, 3],
        'data folder in use, channel in use, no configuration',
      );
      t.match(await service.said(), /The data folder Z:\\.* is in use by another service \(process \d+\)/);
      t.match(await host.said(), /The channel platen is served by another desktop application \(process \d+\)/);
      t.match(await unknown.said(), /The configuration file C:\\no\\such\.json does not exist/);
      const waiting = await windows.platen(['host']);
      await until(async () => (await waiting.said()).includes('Waiting'));
      await waiting.kill();
    },
  );

  await t.test('all scans: no source was asked for a window, and every opened source is closed', async t => {
    const triplets = await windows.triplets();
    t.ok(triplets.some(line => line.endsWith(' show=0')));
    t.strictSame(
      triplets.filter(line => / show=(?!0$)/.test(line)),
      [],
    );
    const opened = triplets.filter(line => line.startsWith('1 3 401 rc=0')).length;
    const closed = triplets.filter(line => line.startsWith('1 3 402 rc=0')).length;
    const refused = triplets.filter(line => line.startsWith('1 3 402 rc=1')).length;
    t.equal(opened - closed - refused, 1, 'except the source that crashed and those that refused to close');
    t.strictSame(
      triplets.filter(line => line.startsWith('closed ') && line !== 'closed unfreed=0'),
      [],
    );
  });

  await t.test('the desktop application is killed: its source is released; a new one is detected', async t => {
    await windows.set({ sheets: 1 });
    const { text, status } = await windows.request('POST', '/api/twain', {
      kind: 'twainlocalscanner',
      method: 'openSource',
      params: { sourceName: sourceName(64) },
    });
    t.equal(status, 200, text);
    const before = (await windows.triplets()).filter(line => line.startsWith('1 3 402')).length;
    await windows.host.kill();
    await until(
      async () => (await windows.triplets()).filter(line => line.startsWith('1 3 402')).length === before + 1,
    );
    t.equal((await scan(windows, 64, {})).status, 503);
    await windows.startHost();
    const { json } = await scan(windows, 64, { colorMode: 'Grayscale' });
    await arePictures(t, json.images, 'Grayscale', [{ sheet: 1, side: 0 }]);
  });

  await t.test('a source crashes when asked for its name: the log names it, and the others are listed', async t => {
    await windows.set({ sheets: 1, culprit: 'gphoto2' });
    await windows.addSource('gphoto2');
    const listed = async (): Promise<readonly string[]> => {
      const { json } = await windows.request('GET', '/api/twain/scanners');
      return (json as { scanners: { name: string }[] }).scanners.map(({ name }) => name);
    };
    await until(async () => {
      await listed();
      const said = await windows.said();
      return [64, 32].every(bits => new RegExp(`twain_${bits}.+gphoto2\\.ds`, 'i').test(said));
    });
    const names = await listed();
    for (const bits of [64, 32] as const) {
      t.ok(names.includes(sourceName(bits)));
      t.equal((await scan(windows, bits, { colorMode: 'Grayscale' })).status, 200);
    }
  });

  await t.test('a certificate whose key cannot be protected from other accounts: not created', async t => {
    const elsewhere = { PLATEN_DATA_DIR: 'C:\\elsewhere' };
    await windows.removeProgram('icacls.exe');
    const refused = await windows.platen(['cert', 'install', '--no-trust'], elsewhere);
    t.equal(await refused.ended, 3, await refused.said());
    t.match(await refused.said(), /Could not restrict access to the folder C:\\elsewhere\\\S+ \(.*icacls\.exe/);
    const status = await windows.platen(['cert', 'status'], elsewhere);
    t.not(await status.ended, 0, await status.said());
  });
}
