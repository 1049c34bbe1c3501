/** The preview of a flatbed, with the request of the page, compared with `scanimage --preview` on the same backend. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { Agent } from 'node:https';
import { mkdtemp, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Capabilities, ScanParameters } from '@platen/client';
import { TESTER, useTestBackend } from '../sane/testBackend.js';
import type { ScanJson } from '../spec/calls.js';
import { ask, saveImages } from './ask.js';
import { spell, spreadOf, table, verdict } from './numbers.js';
import { alternate, timed } from './rounds.js';
import { serviceOverSane } from './saneRows.js';

const ROUNDS = 9;
const WANTED = 1;
/** Lines of test.conf for a device that takes 20 ms for each 8 KB: 0.6 s for a preview. */
export const slowDevice = [
  'read-delay true',
  'read-delay-duration 20000',
  'read-limit true',
  'read-limit-size 8192',
] as const;
const devices = { 'no time for a page': [], '20 ms for each 8 KB': slowDevice } as const;

type Say = (line: string) => void;

/** The component's own. */
const { previewParameters } = (await import(
  new URL('dist/component/settings/preview.js', import.meta.resolve('@platen/client/package.json')).href
)) as { previewParameters: (can: Capabilities) => ScanParameters };

export async function previewRows(folder: string, _files: readonly string[], say: Say): Promise<string> {
  if (!existsSync('/usr/bin/scanimage')) return 'The row of the preview needs scanimage (Debian: sane-utils).';
  const rows: string[][] = [];
  for (const [title, conf] of Object.entries(devices))
    rows.push(await compared(await mkdtemp(join(folder, 'preview-')), title, conf, say));
  return table(
    [
      'preview of the flatbed of SANE’s test backend',
      'page’s request, ms',
      '`scanimage --preview`, ms',
      'ratio',
      'wanted',
    ],
    rows,
  );
}

async function compared(folder: string, title: string, conf: readonly string[], say: Say): Promise<string[]> {
  const { sides, parameters, close } = await openPreview(folder, conf);
  try {
    const times = await alternate(
      { ours: () => sides.ours(), theirs: () => sides.theirs() },
      { rounds: ROUNDS, title: `preview, ${title}, ms`, say },
    );
    const [our, their] = [spreadOf(times.ours), spreadOf(times.theirs)];
    const ratio = our.median / their.median;
    const { area, resolution } = parameters;
    return [
      `${area?.width} × ${area?.height} mm, ${resolution} dpi, colour; ${title}`,
      spell(our),
      spell(their),
      ratio.toFixed(2),
      verdict('≤', ratio, WANTED),
    ];
  } finally {
    await close();
  }
}

export interface Preview {
  /** Milliseconds. @param save a folder for the picture, named 1 */
  readonly sides: Readonly<Record<'ours' | 'theirs', (save?: string) => Promise<number>>>;
  readonly parameters: ScanParameters;
  close(): Promise<void>;
}

/** @param conf further lines of test.conf */
export async function openPreview(folder: string, conf: readonly string[]): Promise<Preview> {
  await useTestBackend(folder, ['test-picture "Color pattern"', 'geometry_quant 0.05', ...conf]);
  const service = await serviceOverSane(folder);
  // A browser keeps its connection, too.
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const call = async (path: string, body?: string): Promise<unknown> => {
    const response = await ask({ port: service.port, path, agent, ...(body && { method: 'POST', body }) });
    const text = Buffer.concat((await response.toArray()) as Buffer[]).toString('utf8');
    if (response.statusCode !== 200) throw new Error(`${path} answered ${response.statusCode}: ${text.slice(0, 300)}`);
    return JSON.parse(text);
  };
  const { capabilities } = (await call(
    `/api/twain/scanners/${encodeURIComponent(TESTER)}/capabilities?details=true`,
  )) as { capabilities: Capabilities };
  const parameters = previewParameters(capabilities);
  const body = JSON.stringify({ scannerName: TESTER, parameters });
  return {
    sides: {
      async ours(save) {
        const began = performance.now();
        const { images } = (await call('/api/twain/scan', body)) as ScanJson;
        const ms = performance.now() - began;
        if (save !== undefined) await saveImages(save, images.map(imageBytes));
        return ms;
      },
      theirs: save => timed(() => scanimage(folder, parameters, save ?? folder)),
    },
    parameters,
    async close() {
      agent.destroy();
      await service.stop();
    },
  };
}

const imageBytes = ({ base64Data }: ScanJson['images'][number]): Buffer => Buffer.from(base64Data, 'base64');

/** The same page, as libjpeg writes it. The backend has no `preview` option: `scanimage --preview` would be refused. */
async function scanimage(folder: string, { resolution, area }: ScanParameters, into: string): Promise<void> {
  const out = join(into, '1');
  const [width = 0, height = 0] = [area?.width, area?.height];
  const options = {
    '--source': 'Flatbed',
    '--mode': 'Color',
    '--depth': '8',
    '--resolution': resolution,
    '-l': 0,
    '-t': 0,
    '-x': width,
    '-y': height,
    '-o': out,
  };
  const args = Object.entries(options).flatMap(([name, value]) => [name, String(value)]);
  await promisify(execFile)('scanimage', ['-d', 'test:0', '--format=jpeg', ...args], {
    env: { ...process.env, SANE_CONFIG_DIR: join(folder, 'sane') },
  });
  if ((await stat(out)).size === 0) throw new Error('scanimage wrote no page.');
}
