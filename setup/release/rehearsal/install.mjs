/** A release tried out: published to a registry on loopback, installed on a desk without tools, scanned with, updated. */
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StepError, run, root } from '../../step.mjs';
import { createDesk } from './desk.mjs';
import { npm, npmEnv, npmOptions } from '../npm.mjs';
import { startService } from './service.mjs';

/** What an installation may cost: seconds from `npm install` to the first page, megabytes, packages of others. */
export const limits = { seconds: 20, megabytes: 120, packages: 20 };

/** SANE's own test device, and a scanner of server/config/try.json. */
const tester = 'Noname frontend-tester';
const virtual = 'Feeder A';
/** A vendor's driver, made for 0.1, with a scanner of A6 pages. */
const vendor = {
  name: '@acme/platen-driver',
  scanner: 'ACME feeder',
  pageSize: 'A6',
  size: { width: 105, height: 148 },
};

/**
 * @param {{ folder: string, registry: string, version: string, cache: string, sane?: boolean }} options
 *   folder: is created; cache: npm's; sane: false where there is no SANE, which is everywhere but on Linux
 * @returns {Promise<{ desk: ReturnType<typeof createDesk>, env: Record<string, string | undefined>, figures: { seconds: number, install: number, pages: number, packages: number, ours: number, megabytes: number } }>} the desk with the installation, and what it cost
 * @throws {StepError} naming what failed
 */
export async function installAndScan({ folder, registry, version, cache, sane = process.platform === 'linux' }) {
  const desk = createDesk(folder, { registry, cache });
  const began = Date.now();
  await desk.install(`@platen/server@${version}`);
  const installed = Date.now();
  const env = sane ? { SANE_CONFIG_DIR: testBackend(desk.folder) } : {};
  const pages = await scanOnce(desk, sane ? { scanner: tester, env } : { scanner: virtual, args: tryConfig(desk) });
  const scanned = Date.now();
  const { scripts, compiled, ...size } = desk.measure();
  if (compiled.length > 0) throw new StepError(`The installation compiled something: ${compiled.join(', ')}.`);
  if (scripts.length > 0)
    throw new StepError(`These packages run scripts when they are installed: ${scripts.join(', ')}.`);
  const seconds = (scanned - began) / 1000;
  return { desk, env, figures: { seconds, install: (installed - began) / 1000, pages, ...size } };
}

/** @returns {Promise<number>} pages of the virtual scanner, from the configuration for trying out */
export function scanVirtual(desk) {
  return scanOnce(desk, { scanner: virtual, args: tryConfig(desk) });
}

/** @throws {StepError} naming the plugins of the shipped configuration that do not load */
export async function loadPlugins(desk, env) {
  const { code, output } = await desk.platen(['plugins', 'list'], env);
  if (code !== 0) throw new StepError(`Not every plugin of the installation loads:\n${output}`);
}

/**
 * An installation with a vendor's driver gets the next version in place.
 * @returns {Promise<{ before: string, after: string }>} the versions of the service, as it says them
 * @throws {StepError} if the vendor's driver or a helper is gone, or does not scan
 */
export async function update(desk, { version, env, sane = process.platform === 'linux' }) {
  await desk.install(await packVendor(desk.folder));
  const config = vendorConfig(desk);
  const scanBoth = async () => {
    const service = await startService(desk, { args: ['--config', config], env });
    try {
      await service.scan(vendor.scanner, { pageSize: vendor.pageSize, size: vendor.size });
      if (sane) await service.scan(tester);
      return service.version;
    } finally {
      await service.stop();
    }
  };
  const before = await scanBoth();
  await desk.install(`@platen/server@${version}`);
  const after = await scanBoth();
  if (after !== version) throw new StepError(`After the update to ${version}, the service calls itself ${after}.`);
  return { before, after };
}

/**
 * @param {ReturnType<typeof createDesk>} desk
 * @param {{ scanner: string, args?: string[], env?: NodeJS.ProcessEnv }} options
 */
async function scanOnce(desk, { scanner, args, env }) {
  const service = await startService(desk, { args, env });
  try {
    return await service.scan(scanner);
  } finally {
    await service.stop();
  }
}

const tryConfig = desk => ['--config', join(desk.modules, '@platen', 'server', 'config', 'try.json')];

/** @returns {string} a folder for SANE_CONFIG_DIR; pages of the device are below A4 unless told */
function testBackend(where) {
  const folder = join(where, 'sane');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'dll.conf'), 'test\n');
  writeFileSync(join(folder, 'test.conf'), 'geometry_max 300\nnumber_of_devices 1\n');
  return folder;
}

async function packVendor(folder) {
  const source = join(folder, 'vendor');
  cpSync(join(root, 'test', 'plugins', 'fixtures', 'acme-driver'), source, { recursive: true });
  const pack = npm('pack', '--json', '--ignore-scripts', '--loglevel=error');
  const said = await run("Packing a vendor's driver", pack, { ...npmOptions, cwd: source, env: npmEnv() });
  const [{ filename }] = JSON.parse(said.slice(said.indexOf('[')));
  return join(source, filename);
}

function vendorConfig(desk) {
  const file = join(desk.folder, 'platen.json');
  const plugins = [
    { use: vendor.name, options: { feeders: [{ name: vendor.scanner }] } },
    { use: '@platen/driver-sane', on: ['linux'] },
    { use: '@platen/format-png', required: true },
  ];
  writeFileSync(file, JSON.stringify({ plugins }));
  return file;
}
