/** An open scanner: what it can do, its status, and its scans. `deviceSession` keeps the promises that all sessions share. */
import { assertPixels, checkDriverOptions, deviceSession, millimetres, type DeviceScan } from '@platen/core/driver';
import { pixelsAt, type Capabilities, type ColorMode, type Device, type Log, type Pixels, type RawPage, type ScanOrder, type Session, type SourceCapabilities } from '@platen/core/plugin';
import { statusOf } from '@platen/driver-kit';
import type { Scanner, Settings } from './device.js';
import { explain } from './errors.js';

export interface SessionParts {
  readonly device: Device;
  readonly scanner: Scanner;
  readonly log: Log;
  onClose(): Promise<void>;
}

/** `acme_mode` of the SDK, and the pixels that it delivers. */
const modes: Readonly<Record<ColorMode, { readonly mode: number; readonly pixels: Pixels }>> = {
  BlackAndWhite: { mode: 0, pixels: 'bw1' },
  Grayscale: { mode: 1, pixels: 'gray8' },
  Color: { mode: 2, pixels: 'rgb24' },
};

export function openSession({ device, scanner, log, onClose }: SessionParts): Session {
  const { options } = scanner;
  /** Yours: what the hardware does. Leave out what it does not: Platen does that in software (cropping, black and white). */
  const flatbed: SourceCapabilities = {
    resolutions: [75, 100, 150, 200, 300, 600],
    colorModes: ['Color', 'Grayscale', 'BlackAndWhite'],
    duplex: false,
    pageSizes: ['A4', 'A5', 'A6', 'Letter'],
    adjustments: [],
    driverOptions: options,
  };
  const capabilities: Capabilities = { flatbed, feeder: { ...flatbed, duplex: true, controls: ['sheets'] } };
  const defaults = Object.fromEntries(options.map(option => [option.name, option.default]));

  /** Feeds a sheet for each pull. `stop`: feed no more; `ended`: give up now, which every wait must. */
  async function* scan(order: ScanOrder, { stop, ended, onEmpty }: DeviceScan): AsyncGenerator<RawPage, void, undefined> {
    checkDriverOptions(options, order.driverOptions);
    const settings = settingsFor(order);
    const { pixels } = modes[order.colorMode];
    const sides = settings.duplex ? (['front', 'back'] as const) : (['front'] as const);
    const most = settings.flatbed ? 1 : (order.sheets ?? Infinity);
    let sheet = 1;
    try {
      await scanner.set({ ...defaults, ...order.driverOptions });
      for (; sheet <= most && !stop.aborted; sheet++) {
        for (const side of sides) {
          const page = await scanner.page(settings, pixels, order.maxPixels, ended);
          yield { kind: 'raw', ...page, sheet, side, dpi: order.resolution };
        }
      }
    } catch (error) {
      if (statusOf(error) !== 'ACME_NO_PAPER') throw error;
      onEmpty();
      if (sheet === 1) throw error;
    } finally {
      await scanner.end();
    }
  }

  return deviceSession<RawPage>({
    device,
    log,
    scan,
    onClose,
    explain: error => explain(error, device.name),
    // Yours: if they must be asked, return undefined from `known` until they are.
    known: () => capabilities,
    capabilities: async () => capabilities,
    status: async () => ({ online: true, paper: (await scanner.isLoaded()) ? 'loaded' : 'empty' }),
  });
}

/** @throws `unsupported` before paper moves */
function settingsFor({ source, resolution: dpi, colorMode, duplexMode, pageSize, maxPixels }: ScanOrder): Settings {
  const size = millimetres[pageSize === 'Auto' ? 'A4' : pageSize];
  const [width, height] = [pixelsAt(dpi, size.width), pixelsAt(dpi, size.height)];
  assertPixels(width, height, maxPixels);
  const flatbed = source === 'flatbed';
  return { dpi, mode: modes[colorMode].mode, flatbed, duplex: !flatbed && duplexMode !== 'Simplex', width, height };
}
