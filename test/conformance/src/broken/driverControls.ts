/** Drivers that do not follow the controls that they name, or take options that they do not have. */
import { type Page, ScanError } from '@platen/core/plugin';
import { pageWork } from '@platen/core/wire';
import { withPages, withScan, withSession, type BrokenDriver } from './brokenDriver.js';

/** Says that it followed what it did not follow. */
const claiming = (page: Page): Page => ({ ...page, adjusted: pageWork });

export const driverControls: readonly BrokenDriver[] = [
  {
    breaks: '10-controls-are-those-of-the-features',
    how: 'names a control that nobody checks',
    says: /controls of the capabilities: expected \[ 'area' \]/,
    features: { controls: ['area'] },
    make: withSession(() => ({})),
  },
  {
    breaks: '1-source-is-followed',
    how: 'prefers the feeder if there is paper',
    says: /pages of a flatbed scan: expected 'sheet 1 front', but got 'sheet 1 front, sheet 2 front'/,
    make: withScan(({ scan, fake }) => scan(fake.remaining() > 0 ? { source: 'feeder' } : {})),
  },
  {
    breaks: '10-sheets-is-exact',
    how: 'overshoots by a sheet',
    says: /pages of an order of two sheets: expected/,
    make: withScan(({ scan, order }) => scan(order.sheets === undefined ? {} : { sheets: order.sheets + 1 })),
  },
  {
    breaks: '10-brightness-is-followed',
    how: 'does not say that it set the brightness',
    says: /adjusted of a page from the feeder with brightness 60 names brightness: expected true/,
    make: withPages(page => ({ ...page, adjusted: [] })),
  },
  {
    breaks: '10-brightness-is-followed',
    how: 'has the sign wrong',
    says: /with brightness 60 the page is darker \(\d/,
    make: withScan(({ scan, order }) => scan({ brightness: -(order.brightness ?? 0) })),
  },
  {
    breaks: '10-contrast-is-followed',
    how: 'does not say that it set the contrast',
    says: /with contrast 60 names contrast: expected true/,
    make: withPages(page => ({ ...page, adjusted: ['area'] })),
  },
  {
    breaks: '10-threshold-is-followed',
    how: 'counts the threshold from white',
    says: /with threshold 60 the page is darker/,
    make: withScan(({ scan, order }) => scan({ threshold: 255 - (order.threshold ?? 128) })),
  },
  {
    breaks: '10-area-has-its-size',
    how: 'scans a little more than was asked for',
    says: /has a width of \d+ pixels, not of \d+/,
    make: withScan(({ scan, order: { area } }) => scan(area && { area: { ...area, width: area.width + 2 } })),
  },
  {
    breaks: '10-area-has-its-size',
    how: 'ignores the area and says that it did it',
    says: /has a width of \d+ pixels, not of \d+/,
    make: withScan(async function* ({ session, order: { area: _, ...order }, call }) {
      for await (const page of session.scan(order, call)) yield claiming(page);
    }),
  },
  {
    breaks: '10-area-is-in-its-place',
    how: 'counts from the other side',
    says: /is not in its place/,
    make: withScan(({ scan, order: { area } }) => scan(area && { area: { ...area, x: area.y, y: area.x } })),
  },
  {
    breaks: '10-area-is-in-its-place',
    how: 'is a millimetre off',
    says: /is not in its place: right of its left edge/,
    make: withScan(({ scan, order: { area } }) => scan(area && { area: { ...area, x: area.x - 1 } })),
  },
  {
    breaks: '10-options-are-accepted-at-their-defaults',
    how: 'lists an option that it does not take',
    says: /"lamp":"warm".* should yield a page, but failed: unsupported/,
    make: withScan(({ scan, order }) => {
      if (order.driverOptions) throw new ScanError('unsupported', 'lamp cannot be set');
      return scan();
    }),
  },
  {
    breaks: '10-unknown-option-is-unsupported',
    how: 'takes any option',
    says: /the option no-such-option: 1 should fail with unsupported, but ended after sheet 1 front/,
    make: withScan(({ scan }) => scan({ driverOptions: {} })),
  },
  {
    breaks: '10-unknown-option-is-unsupported',
    how: 'takes an option that it reserves for a parameter',
    says: /the option tray: 1 should fail with unsupported, but ended after sheet 1 front/,
    make: withScan(({ scan, order: { driverOptions = {} } }) =>
      scan('tray' in driverOptions ? { driverOptions: {} } : {}),
    ),
  },
  {
    breaks: '10-unknown-option-is-unsupported',
    how: 'does not say which option it refuses',
    says: /should fail with a message that names no-such-option/,
    make: withScan(async function* ({ scan }) {
      try {
        yield* scan();
      } catch {
        throw new ScanError('unsupported', 'That option is unknown.');
      }
    }),
  },
  {
    breaks: '10-wrong-value-is-unsupported',
    how: 'feeds the sheet and then looks at the options',
    says: /was refused, but the sheet was fed before/,
    make: withScan(async function* ({ scan, order }) {
      for await (const page of scan({ driverOptions: {} })) if (!order.driverOptions) yield page;
      yield* scan();
    }),
  },
];
