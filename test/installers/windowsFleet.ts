/**
 * What a fleet's administrator does on each Windows, beside a running service. Wine has no PowerShell that tells who may
 * write a file: each `platen plugins add` warns "PowerShell printed no access rights" and goes on, so that a refusal of a
 * folder plugins.d which others may write is not seen here (windowsCodeAccess.test.ts has it). Nor can Wine make a
 * junction ("ENOTSUP: operation not supported on socket, symlink"): the plugins folder needs none below the program's.
 */
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Test } from 'tap';
import { until } from '../spec/calls.js';
import { request } from '../topology/client.js';
import { chosenIn, groups, offOf, type Features } from './fleet.js';
import { createVendor, TICKS } from './vendor.js';
import type { Desk } from './windowsDesk.js';

export const features = async (port: number): Promise<Features> =>
  (await request(port, 'GET', '/api/features')).json as Features;

/** Files that stay in `ProgramData\Platen`: only a removal with its data takes them. */
export const fleetFiles = ['conf.d', 'conf.d/20-archive.json', 'licences', 'licences/acme.licence'] as const;

/**
 * @param port of the service
 * @param work a folder for the vendor's files
 */
export async function walkFleet(t: Test, desk: Desk, port: number, work: string): Promise<void> {
  const vendor = await createVendor(work);
  const plugins = join(desk.drive, 'Program Files', 'Platen', 'plugins');
  const settings = join(desk.drive, 'ProgramData', 'Platen');
  /** In a new prompt of an administrator, which has the installation's folder in its PATH. */
  const platen = async (line: string): Promise<string> => {
    const ended = await desk.prompt(`platen ${line}`);
    t.match(ended, { code: 0 }, `platen ${line}`);
    return ended.said;
  };
  /** Waits for what the running service tells. */
  const untilIs = async (isSo: (now: Features) => boolean): Promise<Features> => {
    let now = await features(port);
    await until(async () => isSo((now = await features(port))));
    return now;
  };

  // A bundle in the folder that software distribution fills.
  await mkdir(join(plugins, 'plugins.d'), { recursive: true });
  await copyFile(await vendor.bundle('1.1.0'), join(plugins, 'plugins.d', 'acme-1.1.0.bundle.tgz'));
  t.match(await platen('plugins add --offline'), /Added @acme\/ticks 1\.1\.0/);
  t.match(await platen('plugins add --offline'), /All bundles in .*plugins\.d are installed/);
  t.match(
    await platen(`plugins enable ${TICKS}`),
    /@acme\/ticks is on, by C:\\ProgramData\\Platen\\conf\.d\\80-plugins\.json/,
  );
  t.equal(offOf(await features(port))['ticks'], 'not-licensed');

  // A licence by a file.
  await mkdir(join(settings, 'licences'));
  await copyFile(vendor.licence, join(settings, 'licences', 'acme.licence'));
  t.equal(offOf(await untilIs(({ recognisers }) => recognisers.includes('ticks')))['ticks'], undefined);

  // A command on the one group, and a small file for each.
  await platen('plugins disable ocr');
  t.equal(offOf(await features(port))['ocr'], 'switched-off');
  await rm(join(settings, 'conf.d', '80-plugins.json'));
  await untilIs(({ text, recognisers }) => text.available && !recognisers.includes('ticks'));
  for (const [name, words] of Object.entries(groups)) {
    await writeFile(join(settings, 'conf.d', name), words);
    const now = await untilIs(({ barcodes }) => !barcodes.available);
    const isDesk = name === '20-front-desk.json';
    t.match({ text: now.text.available, ticks: now.recognisers.includes('ticks') }, { text: !isDesk, ticks: !isDesk });
    const shown = await platen('config show');
    t.comment(`platen config show, with ${name}:\n${chosenIn(shown)}`);
    t.match(
      shown,
      new RegExp(`barcode\\]\\.enabled = false  # C:\\\\ProgramData\\\\Platen\\\\conf\\.d\\\\${name}, line`),
    );
    if (!isDesk) continue;
    await rm(join(settings, 'conf.d', name));
    await untilIs(({ barcodes }) => barcodes.available);
  }
}
