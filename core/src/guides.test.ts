/** The example driver and format of the vendors' guides fulfil every promise, exactly as printed. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { driverContract, formatContract, type WrittenFacts } from '@platen/conformance';
import t from 'tap';
import type { Plugin } from './contract/plugin.js';
import { nullLog } from './log/nullLog.js';

const guide = async (name: string): Promise<string> => readFile(new URL(`../../docs/${name}`, import.meta.url), 'utf8');
const guides = (await guide('write-a-driver.md')) + (await guide('write-a-plugin.md'));
const blocks = [...guides.matchAll(/```js\n([\s\S]*?)```/g)].map(([, code]) => code ?? '');
const [driver = '', format = '', formatTest = ''] = [
  "name: '@acme/platen-driver'",
  "name: '@acme/format-png'",
  'formatContract(t',
].map(sign => blocks.find(code => code.includes(sign)));
const folder = t.testdir({
  'package.json': '{ "type": "module" }',
  driver: { 'index.js': driver },
  format: { 'index.js': format, 'format.test.js': formatTest },
});
const load = async (path: string): Promise<unknown> => import(pathToFileURL(join(folder, path)).href);
const contributed = async (path: string) =>
  ((await load(path)) as { default: Plugin }).default.setup({ options: {}, log: nullLog, dataDir: folder });

await driverContract(t, {
  features: { feeder: false, flatbed: true, duplex: false, faults: [] },
  async make() {
    const { drivers: [made] = [] } = await contributed('driver/index.js');
    if (!made) throw new Error('the guide’s plugin brings no driver');
    return { driver: made, deviceId: 'flatbed-1', load: async () => undefined, dispose: () => made.close() };
  },
});

/** Facts from the chunks of a PNG: IHDR first, then pHYs. */
function readBack(bytes: Uint8Array): WrittenFacts {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const depth =
    new Map([
      ['8,0', 8],
      ['8,2', 24],
      ['1,3', 1],
    ]).get(file.subarray(24, 26).join()) ?? 0;
  return {
    width: file.readUInt32BE(16),
    height: file.readUInt32BE(20),
    depth,
    dpi: Math.round(file.readUInt32BE(file.indexOf('pHYs') + 4) * 0.0254),
  };
}

await t.test('README: the format example, its file can be read back', async t => {
  const { formats: [made] = [] } = await contributed('format/index.js');
  if (!made) throw new Error('the guide’s plugin brings no format');
  await formatContract(t, {
    make: async () => ({ format: made, readBack }),
    features: { lossy: false, decodes: false, readsBack: true, bilevelDepth: 1 },
  });
});

// Runs the guide's own test unchanged.
await load('format/format.test.js');
