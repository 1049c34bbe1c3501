/** Scanners of SANE and of the network, beside `scanimage` on the same scanner. */
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { SHEETS, TESTER, useTestBackend } from '../../sane/testBackend.js';
import type { ScanTaking, ScanTask } from '../client.js';
import { ESCL_PAGES, openEscl } from '../esclRows.js';
import type { FetchTaking, FetchTask } from '../fetcher.js';
import { startHelper } from '../helper.js';
import { openPreview, slowDevice } from '../previewRows.js';
import { serviceOverSane } from '../saneRows.js';
import { SCANIMAGE_QUALITY, timeScanimage } from '../scanimage.js';
import { shippedTimes } from '../shippedRows.js';
import { sheet } from '../sheets.js';
import { checked } from './checked.js';
import type { Group, Plan } from './row.js';

const peer = '`scanimage`';
/** Levels of 255: one side encodes again what the device had encoded, or with another quality. */
const ENCODED_AGAIN = 3;

const feeder = (what: string, value: number): Plan => ({
  what,
  peer,
  unit: 'ms',
  wanted: { sign: '≤', value },
  checked: 'pixels',
});

export const sane: Group<'scans' | 'scan'> = {
  needs: ['scanimage'],
  rows: {
    scans: {
      ...feeder(`SANE, ${SHEETS} A4 pages, 300 dpi, color, JPEG ${SCANIMAGE_QUALITY}: \`POST /api/scans\``, 0.95),
      checked: 'pixels, digests',
    },
    scan: feeder('the same: `POST /api/twain/scan`', 0.95),
  },
  async measure({ folder, say }) {
    const own = await mkdtemp(join(folder, 'sane-'));
    await useTestBackend(own);
    const service = await serviceOverSane(own);
    const client = startHelper<ScanTask, ScanTaking>('client');
    const fetcher = startHelper<FetchTask, FetchTaking>('fetcher');
    const task = {
      port: service.port,
      scannerName: TESTER,
      imageFormat: 'Jpeg',
      jpegQuality: SCANIMAGE_QUALITY,
      pages: SHEETS,
    } as const;
    const theirs = (save?: string): Promise<number> =>
      timeScanimage({ configDir: join(own, 'sane'), resolution: sheet.dpi, format: 'jpeg', ...(save && { save }) });
    const scans = async (save?: string): Promise<number> =>
      (await fetcher.run({ ...task, check: false, ...(save && { save }) })).ms;
    const scan = async (save?: string): Promise<number> =>
      (await client.run({ ...task, decode: false, ...(save && { save }) })).ms;
    try {
      const wishes = { rounds: 7 };
      return {
        scans: await checked(
          { folder: own, say },
          'SANE, POST /api/scans, ms',
          SHEETS,
          { ours: scans, theirs },
          wishes,
        ),
        scan: await checked({ folder: own, say }, 'SANE, POST /scan, ms', SHEETS, { ours: scan, theirs }, wishes),
      };
    } finally {
      for (const each of [client, fetcher]) each.end();
      await service.stop();
    }
  },
};

/** An installation's unchanged configuration, in a network of its own. */
export const shipped: Group<'scan' | 'list' | 'status'> = {
  needs: ['scanimage', 'unshare', 'ip'],
  rows: {
    scan: feeder(`**Shipped configuration**, ${SHEETS} such pages of SANE: \`POST /api/twain/scan\``, 0.95),
    list: {
      what: 'the same, with a network scanner: `GET /scanners`',
      unit: 'ms',
      digits: 1,
      wanted: { sign: '≤', value: 300 },
      checked: 'status',
    },
    status: {
      what: 'the same: `GET /status`',
      unit: 'ms',
      digits: 1,
      wanted: { sign: '≤', value: 20 },
      checked: 'status',
    },
  },
  async measure({ say }) {
    const lines = (text: string): void => text.trimEnd().split('\n').forEach(say);
    const times = await shippedTimes(['list', 'status', 'like scanimage 300', 'scanimage 300'], 5, lines);
    return {
      scan: { ours: times['like scanimage 300'], theirs: times['scanimage 300'] },
      list: { ours: times.list },
      status: { ours: times.status },
    };
  },
};

export const escl: Group<'scan'> = {
  needs: ['scanimage', '/etc/sane.d/airscan.conf'],
  rows: {
    scan: {
      ...feeder(`eSCL, ${ESCL_PAGES} A4 pages, 300 dpi, color, JPEG: \`POST /api/twain/scan\``, 0.5),
      peer: '`scanimage` over sane-airscan',
    },
  },
  async measure({ folder, files, say }) {
    const { close, ...sides } = await openEscl(folder, await files());
    try {
      const scan = await checked({ folder, say }, 'eSCL, ms', ESCL_PAGES, sides, { most: ENCODED_AGAIN });
      return { scan };
    } finally {
      await close();
    }
  },
};

/** A device of 0.6 s: what a person waits for beyond it. */
export const preview: Group<'preview'> = {
  needs: ['scanimage'],
  rows: { preview: feeder('Preview of a flatbed that takes 0.6 s, the page’s request', 1) },
  async measure({ folder, say }) {
    const { sides, close } = await openPreview(await mkdtemp(join(folder, 'preview-')), slowDevice);
    try {
      return { preview: await checked({ folder, say }, 'preview, ms', 1, sides, { most: ENCODED_AGAIN }) };
    } finally {
      await close();
    }
  },
};
