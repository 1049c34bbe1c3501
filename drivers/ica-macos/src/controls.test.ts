/** Threshold and vendor options of a scan, over the simulated ImageCaptureCore, under AddressSanitizer and UBSan. */
import type { RawPage, ScanOrder, Session, SourceCapabilities } from '@platen/core/plugin';
import t, { type Test } from 'tap';
import { bodyOf, lacking, never, scanned, vendorFeatures, type Body, type BodyOptions } from './rig.test.kit.js';

const skip = lacking();
const sheet = 'size 105 148 front 150 150 150';
const bilevel = { colorMode: 'BlackAndWhite' } as const;

interface Desk {
  readonly body: Body;
  readonly session: Session;
  readonly feeder: SourceCapabilities;
  /** Scans a sheet with the grey 150. @returns its page; rejects with the scan's error */
  scan(order: Partial<ScanOrder>): Promise<RawPage>;
}

async function deskOf(t: Test, is: string, features = '', options: Partial<BodyOptions> = {}): Promise<Desk> {
  const body = await bodyOf({ is: `feeder sensor ${is}`, files: { features }, sanitised: true, ...options });
  t.teardown(() => body.dispose());
  const session = await body.driver.open('desk', { signal: never() });
  const { feeder } = await session.capabilities({ signal: never() });
  return {
    body,
    session,
    feeder: feeder!,
    async scan(order) {
      if ((await body.remaining()) === 0) await body.load(1, sheet);
      const { pages, code, message } = await scanned(session, order);
      if (code !== undefined) throw Object.assign(new Error(message), { code });
      return pages[0]!;
    },
  };
}

/** The first sample of a row in the sheet's grey; of a 1-bit page, eight pixels. */
function inkOf({ data, stride, height }: RawPage): number {
  return data[(height - 10) * stride]!;
}

t.test('threshold: decides what is black, for one scan', { skip }, async t => {
  const { feeder, scan } = await deskOf(t, 'threshold');
  t.strictSame(feeder.controls, ['area', 'threshold']);
  const pages = [];
  for (const threshold of [150, 151, undefined, 255, 0])
    pages.push(await scan({ ...bilevel, ...(threshold !== undefined && { threshold }) }));
  t.strictSame(pages.map(inkOf), [0, 0xff, 0, 0xff, 0]);
  const says = pages.map(({ adjusted }) => adjusted);
  t.strictSame(says, [['threshold'], ['threshold'], undefined, ['threshold'], ['threshold']]);
});

t.test('threshold: beside an area, both are said', { skip }, async t => {
  const { scan } = await deskOf(t, 'threshold');
  const page = await scan({ ...bilevel, threshold: 200, area: { x: 0, y: 100, width: 40, height: 30 } });
  t.strictSame(page.adjusted, ['threshold', 'area']);
});

t.test('threshold: one that the scanner does not keep is unsupported, and no sheet is fed', { skip }, async t => {
  const { body, scan } = await deskOf(t, 'threshold-stuck');
  await t.rejects(scan({ ...bilevel, threshold: 90 }), { code: 'unsupported', message: /threshold 90/ });
  t.equal(await body.remaining(), 1);
  t.equal(inkOf(await scan(bilevel)), 0, 'the next scan works');
});

t.test('threshold: a scanner that accepts none, or has no 1-bit pages, does not name it', { skip }, async t => {
  for (const is of ['', 'threshold no-1bit']) t.strictSame((await deskOf(t, is)).feeder.controls, ['area'], is);
});

t.test('options: as the vendor describes them', { skip }, async t => {
  const { feeder } = await deskOf(t, '', vendorFeatures);
  t.strictSame(feeder.driverOptions, [
    {
      name: 'CVF_DESCREEN',
      title: 'Descreen',
      description: 'Reduces a stripe pattern (moire).',
      type: 'boolean',
      default: true,
    },
    { name: 'CVF_REDUCE_SHOW_THROGHT', title: 'Reduce Show-through', type: 'boolean', default: false },
    {
      name: 'CVF_IMAGE_ADJUSTMENT',
      title: 'Image Adjustment',
      description: 'What the original is.\n0: Auto\n2: Photo\n5: Document',
      type: 'integer',
      values: [0, 2, 5],
      default: 0,
    },
    {
      name: 'paperDetection',
      title: 'Automatische Größenerkennung',
      type: 'string',
      values: ['Aus', 'Ein'],
      default: 'Aus',
    },
    {
      name: 'CVF_BRIGHTNESS',
      title: 'Brightness',
      type: 'number',
      minimum: -50,
      maximum: 50,
      step: 5,
      default: 0,
      controls: ['brightness'],
    },
  ]);
});

t.test('options: a feature that throws, or that no frame holds, is left out', { skip }, async t => {
  const values = Array.from({ length: 900 }, (_, i) => `${i}${'x'.repeat(80)}`).join(',');
  const features = ['throws boolean|A|A||1', `enumeration|B|B||${values}`, 'template|C|C||', 'boolean|D|D||1'].join(
    '\n',
  );
  t.match((await deskOf(t, '', features)).feeder.driverOptions, [{ name: 'D' }]);
  const { feeder, scan } = await deskOf(t, 'features-throw', features);
  t.equal(feeder.driverOptions, undefined, 'none, if the list throws');
  t.equal(inkOf(await scan({ colorMode: 'Grayscale' })), 150);
});

t.test('options: change the page, for one scan; a value between two steps becomes the nearest', { skip }, async t => {
  const { scan } = await deskOf(t, '', vendorFeatures);
  const inks = [];
  for (const CVF_BRIGHTNESS of [50, undefined, -22, 0])
    inks.push(
      inkOf(
        await scan({
          colorMode: 'Grayscale',
          ...(CVF_BRIGHTNESS !== undefined && { driverOptions: { CVF_BRIGHTNESS } }),
        }),
      ),
    );
  t.strictSame(inks, [200, 150, 130, 150]);
});

t.test('options: all types in one order; a refused order does not last', { skip }, async t => {
  const { scan } = await deskOf(t, '', `${vendorFeatures}\nstuck boolean|CVF_LAMP|Lamp||0`);
  const driverOptions = {
    CVF_DESCREEN: false,
    CVF_IMAGE_ADJUSTMENT: 5,
    paperDetection: 'Ein',
    CVF_BRIGHTNESS: 10,
    CVF_LAMP: false,
  };
  t.equal(inkOf(await scan({ colorMode: 'Grayscale', driverOptions })), 160);
  const refused = scan({ colorMode: 'Grayscale', driverOptions: { ...driverOptions, CVF_LAMP: true } });
  await t.rejects(refused, { code: 'unsupported', message: /CVF_LAMP/ });
  t.equal(inkOf(await scan({ colorMode: 'Grayscale' })), 150);
});

t.test('options: one that does not exist in this colour mode has its default, or is unsupported', { skip }, async t => {
  const { body, scan } = await deskOf(t, '', 'colour boolean|CVF_FADING|Fading Correction||0');
  const wish = (CVF_FADING: boolean) => ({ colorMode: 'Grayscale', driverOptions: { CVF_FADING } }) as const;
  await t.rejects(scan(wish(true)), { code: 'unsupported', message: /CVF_FADING/ });
  t.equal(await body.remaining(), 1);
  t.equal(inkOf(await scan(wish(false))), 150);
  t.ok(await scan({ ...wish(true), colorMode: 'Color' }));
});

t.test('options: pages as files', { skip }, async t => {
  const { feeder, scan } = await deskOf(t, 'threshold', vendorFeatures, { options: { transfer: 'file' } });
  t.strictSame(feeder.controls, ['threshold'], 'no area: a file is not cut');
  t.equal(feeder.driverOptions?.length, 5);
  const page = await scan({ ...bilevel, threshold: 90, driverOptions: { CVF_DESCREEN: false } });
  t.strictSame(page.adjusted, ['threshold']);
});
