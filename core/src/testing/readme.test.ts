/** The driver on the first page of the README keeps every promise, as it stands there. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import t from 'tap';
import type { Plugin } from '../contract/plugin.js';
import { driverContract } from './driverContract.js';

const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8');
const code = /```js\n([\s\S]*?)```/.exec(readme)?.[1] ?? '';
const folder = t.testdir({ 'index.mjs': code });
const { default: plugin } = (await import(pathToFileURL(join(folder, 'index.mjs')).href)) as { default: Plugin };
const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

await driverContract(t, {
  features: { feeder: false, flatbed: true, duplex: false, faults: [] },
  async make() {
    const { drivers = [] } = await plugin.setup({ options: {}, log: silent, dataDir: folder });
    const [driver] = drivers;
    if (!driver) throw new Error('the README’s plugin brings no driver');
    return { driver, deviceId: 'glass-1', load: async () => undefined, dispose: () => driver.close() };
  },
});
