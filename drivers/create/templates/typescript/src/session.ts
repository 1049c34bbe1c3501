/** An open scanner: what it can do, its status, and its scans. `deviceSession` keeps the promises that all sessions share. */
import { assertPixels, checkDriverOptions, deviceSession, millimetres, type DeviceScan } from '@platen/core/driver';
import {
  imageFacts,
  pixelsAt,
  ScanError,
  type Capabilities,
  type Device,
  type DriverOption,
  type EncodedPage,
  type Log,
  type ScanOrder,
  type Session,
  type SourceCapabilities,
} from '@platen/core/plugin';
import type { DeviceClient, Settings } from './device.js';
import { detectedOf, explain } from './errors.js';

/** Yours: what only your device has. Clients set it by name. */
const driverOptions: readonly DriverOption[] = [
  { name: 'detectDoubleFeed', title: 'Detect double feeds', type: 'boolean', default: true },
];

/** Yours: what the hardware does. Leave out what it does not: Platen does that in software (black and white, cropping). */
const flatbed: SourceCapabilities = {
  resolutions: [75, 100, 150, 200, 300, 600],
  colorModes: ['Color', 'Grayscale'],
  duplex: false,
  pageSizes: ['A4', 'A5', 'A6', 'Letter'],
  adjustments: [],
};
const capabilities: Capabilities = {
  flatbed,
  feeder: { ...flatbed, duplex: true, controls: ['sheets'], driverOptions },
};

export interface SessionParts {
  readonly device: Device;
  readonly client: DeviceClient;
  readonly log: Log;
  onClose(): Promise<void>;
}

export function openSession({ device, client, log, onClose }: SessionParts): Session {
  /** Feeds a sheet for each pull. `stop`: feed no more; `ended`: give up now, which every wait must. */
  async function* scan(order: ScanOrder, { stop, ended }: DeviceScan): AsyncGenerator<EncodedPage, void, undefined> {
    const job = await client.begin(settingsFor(order), ended);
    try {
      const sides = order.duplexMode === 'Simplex' ? (['front'] as const) : (['front', 'back'] as const);
      const most = order.source === 'flatbed' ? 1 : (order.sheets ?? Infinity);
      for (let sheet = 1; sheet <= most && !stop.aborted; sheet++) {
        for (const side of sides) {
          const data = await job.next();
          if (data === undefined) return;
          yield pageOf(data, { sheet, side, dpi: order.resolution });
        }
      }
    } finally {
      await job.end();
    }
  }

  return deviceSession<EncodedPage>({
    device,
    log,
    scan,
    onClose,
    explain: error => explain(error, device.name),
    // Yours: if they must be asked, return undefined from `known` until they are.
    known: () => capabilities,
    capabilities: async () => capabilities,
    async status({ signal }) {
      const { paper, error } = await client.state(signal);
      const detected = detectedOf(error);
      return { online: true, paper: paper ? 'loaded' : 'empty', ...(detected && { detected }) };
    },
  });
}

/** @throws `unsupported` before paper moves */
function settingsFor(order: ScanOrder): Settings {
  const { source, resolution: dpi, pageSize, sheets, driverOptions: wanted } = order;
  checkDriverOptions(capabilities[source]?.driverOptions, wanted);
  const { width, height } = millimetres[pageSize === 'Auto' ? 'A4' : pageSize];
  const pixels = { width: pixelsAt(dpi, width), height: pixelsAt(dpi, height) };
  assertPixels(pixels.width, pixels.height, order.maxPixels);
  return {
    ...pixels,
    source,
    dpi,
    sides: order.duplexMode === 'Simplex' ? 1 : 2,
    color: order.colorMode === 'Color' ? 'color' : 'gray',
    ...(sheets !== undefined && { sheets }),
    ...(typeof wanted?.detectDoubleFeed === 'boolean' && { detectDoubleFeed: wanted.detectDoubleFeed }),
  };
}

/** Yours: if your device sends pixels, return `kind: 'raw'` with `stride` and `data`. Platen checks every byte of the rest. */
function pageOf(data: Uint8Array, where: Pick<EncodedPage, 'sheet' | 'side' | 'dpi'>): EncodedPage {
  const facts = imageFacts(data);
  if (!facts?.isWhole) throw new ScanError('driver-failed', 'The device sent half a page.');
  const { mimeType, width, height, pixels } = facts;
  return { kind: 'encoded', ...where, mimeType, width, height, pixels, data };
}
