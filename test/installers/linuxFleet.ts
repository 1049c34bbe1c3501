/** What a fleet's administrator does on each Debian, without a network and without a restart. */
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Test } from 'tap';
import { TESTER } from '../sane/testBackend.js';
import type { Booted, Debian } from './debian.js';
import { chosenIn, groups, lineOf, offOf, type Features } from './fleet.js';
import { createVendor, TICKS } from './vendor.js';

const script = fileURLToPath(new URL('./ask.js', import.meta.url));

/** What its service answers. @param more a path, and a body */
export const ask = async <Answer>(booted: Booted, method: 'GET' | 'POST', ...more: string[]): Promise<Answer> =>
  JSON.parse(await booted.visit(process.execPath, script, method, ...more)) as Answer;

export const features = (booted: Booted): Promise<Features> => ask(booted, 'GET', '/api/features');

/** Files that stay: a removal keeps them, and a purge does not. */
export const fleetFiles = {
  etc: ['conf.d', 'conf.d/20-archive.json', 'licences', 'licences/acme.licence'],
  plugins: [
    'platen-bundles',
    'platen-bundles/bundles.json',
    'platen-bundles/node_modules',
    'platen-bundles/node_modules/@acme',
    `platen-bundles/node_modules/${TICKS}`,
    `platen-bundles/node_modules/${TICKS}/index.js`,
    `platen-bundles/node_modules/${TICKS}/package.json`,
    'platen-bundles/node_modules/@platen',
    'platen-bundles/node_modules/@platen/core',
    'plugins.d',
    'plugins.d/acme-1.1.0.bundle.tgz',
  ],
} as const;

/** @param work a folder for the vendor's files, outside of the Debian */
export async function walkFleet(t: Test, { folder }: Debian, booted: Booted, work: string): Promise<void> {
  const vendor = await createVendor(work);
  const root = join(folder, 'root');
  /** In the shell of an administrator, in a folder that has the files which the page names. */
  const shell = (line: string): Promise<string> => booted.run('sh', '-c', `cd /root && ${line}`);
  const pid = await booted.run('systemctl', 'show', '-p', 'MainPID', 'platen');
  /** Waits for what the running service tells. */
  const until = async (isSo: (now: Features) => boolean): Promise<Features> => {
    for (;;) {
      const now = await features(booted);
      if (isSo(now)) return now;
    }
  };
  const read = async (): Promise<object> => {
    const parameters = { resolution: 75, recognise: { ticks: {} } };
    return ask(booted, 'POST', '/api/twain/scan', JSON.stringify({ scannerName: TESTER, parameters }));
  };
  await t.rejects(booted.visit('ip', 'route', 'get', '192.0.2.1'), /unreachable/, 'there is no network');

  // A bundle by its name.
  await copyFile(await vendor.bundle('1.0.0'), join(root, 'acme.bundle.tgz'));
  await copyFile(vendor.licence, join(root, 'acme.licence'));
  t.match(await shell('platen plugins add acme.bundle.tgz --offline'), /Added @acme\/ticks 1\.0\.0/);
  await shell(`platen plugins remove ${TICKS}`);
  const said = await shell(lineOf('a plugin, without a network'));
  t.match(said, /Added @acme\/ticks 1\.0\.0[^]*@acme\/ticks is on, by \/etc\/platen\/conf\.d\/80-plugins\.json/);
  t.match(said, '@acme/ticks was added: it is off, because it is not licensed.');
  t.equal(offOf(await features(booted))['ticks'], 'not-licensed');
  t.match(await read(), { success: true, message: /ticks is installed but not licensed/ }, 'a scan comes without it');

  // A licence by a file.
  await shell(lineOf('a licence'));
  const licensed = await until(({ recognisers }) => recognisers.includes('ticks'));
  t.equal(offOf(licensed)['ticks'], undefined);
  t.match(await read(), { images: [{ findings: { ticks: ['ticks'] } }] }, 'a scan has what it found');

  // A later version by the folder that software distribution fills.
  const drop = join(folder, 'usr/local/lib/platen/plugins.d');
  await mkdir(drop, { mode: 0o755 });
  await copyFile(await vendor.bundle('1.1.0'), join(drop, 'acme-1.1.0.bundle.tgz'));
  t.match(await shell('platen plugins add --offline'), /Added @acme\/ticks 1\.1\.0/);
  t.match(await shell('platen plugins add --offline'), /All bundles in .*plugins\.d are installed/);
  await shell('platen service reload');
  t.match(await features(booted), { recognisers: /stamps/ }, 'the service has the later version');

  // Two groups: the lines of the page, then a small file for each.
  await shell(lineOf('text off on one group'));
  t.equal(offOf(await features(booted))['ocr'], 'switched-off');
  await rm(join(folder, 'etc/platen/conf.d/80-plugins.json'));
  await until(({ text, recognisers }) => text.available && !recognisers.includes('ticks'));
  const shown: Record<string, string> = {};
  for (const [name, words] of Object.entries(groups)) {
    await writeFile(join(root, name), words, { mode: 0o644 });
    await shell(lineOf('barcodes off on another').replaceAll('20-front-desk.json', name));
    const now = await until(({ barcodes }) => !barcodes.available);
    const isDesk = name === '20-front-desk.json';
    t.match({ text: now.text.available, ticks: now.recognisers.includes('ticks') }, { text: !isDesk, ticks: !isDesk });
    shown[name] = await booted.run('platen', 'config', 'show');
    t.comment(`platen config show, with ${name}:\n${chosenIn(shown[name])}`);
    if (!isDesk) continue;
    await rm(join(folder, 'etc/platen/conf.d', name));
    await until(({ barcodes }) => barcodes.available);
  }
  t.match(shown['20-front-desk.json'], /ocr\]\.enabled = false {2}# \S*20-front-desk\.json, line 4/);
  t.match(shown['20-archive.json'], /barcode\]\.enabled = false {2}# \S*20-archive\.json, line 1/);

  t.equal(await booted.run('systemctl', 'show', '-p', 'MainPID', 'platen'), pid, 'the same process');
  for (const name of ['acme.bundle.tgz', 'acme.licence', ...Object.keys(groups)]) await rm(join(root, name));
}
