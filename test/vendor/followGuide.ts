/**
 * Follows a guide for drivers: its commands as they stand there, in an empty folder outside the repository, with the
 * packages of a registry. The one thing that is put in is the address of a scanner at the customer's.
 */
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Test } from 'tap';
import { fileOf, type ScanJson } from '../spec/calls.js';
import { request } from '../topology/client.js';
import { change, linesOf, readSteps, type Step } from './guideSteps.js';
import { openDesk, type Shell } from './registry.js';

interface Report {
  readonly score: number;
}

export interface Guide {
  readonly page: string;
  /** What the customer's scanner is called, and how many sheets are in it. */
  readonly scanner: string;
  readonly sheets: number;
  /** Starts the customer's scanner from the vendor's folder, where it needs one. */
  start?(vendor: string): Promise<{ address: string; close(): Promise<void> }>;
  /** Of the vendor's folder, what a customer does not get. */
  readonly own: readonly string[];
}

export async function follow(t: Test, { page, scanner, sheets, start, own }: Guide): Promise<void> {
  const steps = (await readSteps(page)).filter(({ what }) => what !== '' && what !== 'clone');
  const parts = new Set(steps.map(step => step.under.slice(0, 2)));
  t.same([...parts], ['1.', '2.', '3.', '4.', '5.', '6.'], 'what is followed');
  const desk = await openDesk(t);
  const vendor = desk.shell(desk.folder);
  const customer = join(desk.folder, 'customer');
  await mkdir(join(customer, 'data'), { recursive: true, mode: 0o700 });
  await writeFile(join(customer, 'package.json'), JSON.stringify({ name: 'a-customer', private: true }));
  const theirs = desk.shell(customer, {
    PLATEN_DATA_DIR: join(customer, 'data'),
    PLATEN_PLUGINS_DIR: join(customer, 'plugins'),
    PLATEN_PORT: '0',
  });
  const sold = join(desk.folder, 'sold');
  await mkdir(sold);
  const seller = desk.shell(sold);
  const development = { service: undefined as Running | undefined };

  /** Types commands, each of which must succeed. */
  async function type(shell: Shell, commands: readonly string[]): Promise<string> {
    let all = '';
    for (const command of commands) {
      const { code, out } = await shell.run(command);
      t.equal(code, 0, code === 0 ? command : `${command}\n${out}`);
      if (code !== 0) throw new Error(`${command} failed.`);
      all += out;
    }
    return all;
  }

  const followed: Record<string, (step: Step) => Promise<void>> = {
    async vendor(step) {
      await development.service?.stop();
      development.service = undefined;
      await type(vendor, linesOf(step));
    },
    async dev(step) {
      const [command = ''] = linesOf(step);
      development.service = running(vendor, command);
      const port = await development.service.port();
      t.match(await scanned(port, 'Acme F100 1'), { status: 200, json: { success: true, imageCount: 3 } });
    },
    async 'src/dev.ts'(step) {
      const restarted = development.service!.port();
      await change(vendor.folder, step);
      const port = await restarted;
      const jams = /^\+.*\.fault\(2, '(?:ACME_)?JAM'\)/m.test(step.text);
      const wanted = jams ? { status: 500, json: { status: 'PaperJam', imageCount: 1 } } : { status: 200 };
      t.match(await scanned(port, 'Acme F100 1'), wanted, jams ? 'a jam' : 'no jam');
      t.match(await scanned(port, 'Acme F100 2'), { status: 200 }, 'the other device goes on');
    },
    async customer(step) {
      if (!existsSync(join(customer, 'node_modules'))) await type(theirs, ['npm install @platen/server']);
      const out = await type(theirs, linesOf(step));
      if (step.text.includes('plugins list')) t.match(out, /^loaded\s+acme-f100 0\.1\.0\s+driver acme-f100$/m);
    },
    async seller(step) {
      await type(seller, linesOf(step));
      if (step.text.includes('npm create')) {
        await type(seller, ['cd acme-f100']);
        await symlink(join(vendor.folder, 'node_modules'), join(seller.folder, 'node_modules'), 'junction');
        await type(seller, ['npm run build']);
      } else await type(seller, ['npx platen licence show clinic.licence --plugin .']);
    },
    async 'platen.json'(step) {
      await writeFile(join(customer, 'platen.json'), step.text.replace('http://192.168.1.20', device.address));
    },
  };
  /** A scanner at the customer's: from the vendor's folder, because it is not packed. */
  let device: { address: string; close(): Promise<unknown> } = { address: '', close: async () => undefined };
  t.teardown(() => device.close());

  for (const step of steps) {
    const take = followed[step.what] ?? (step.language === 'diff' ? () => change(vendor.folder, step) : undefined);
    if (!take) throw new Error(`Nobody follows this block of the guide: ${step.language} ${step.what}`);
    if (step.what === 'vendor' && step.text.includes('npm run pack')) {
      const { score } = JSON.parse(await readFile(join(vendor.folder, 'score.json'), 'utf8')) as Report;
      t.ok(score >= 95, `its score is ${score}`);
      t.ok(existsSync(join(vendor.folder, 'score.html')));
      if (start) device = await start(vendor.folder);
    }
    await take(step);
  }

  await t.test('the packed driver scans, over HTTPS, without its simulator', async t => {
    const installed = join(customer, 'plugins', 'node_modules', 'acme-f100');
    t.ok(existsSync(join(installed, 'dist', 'plugin.js')));
    for (const path of own) t.notOk(existsSync(join(installed, path)), path);
    await type(theirs, ['npx platen cert install --no-trust']);
    const service = running(theirs, 'npx platen serve --config platen.json');
    const answer = await scanned(await service.port(), scanner);
    t.match(answer, { status: 200, json: { success: true, imageCount: sheets } });
    t.equal(fileOf(answer.json.images[0]!).toString('latin1', 1, 4), 'PNG');
    await service.stop();
  });
}

interface Running {
  /** The port of the next start that it tells of. */
  port(): Promise<number>;
  stop(): Promise<void>;
}

/** A service that a command starts, and starts again. */
function running(shell: Shell, command: string): Running {
  const child = shell.start(command);
  const ended = new Promise<void>(over => child.once('close', () => over()));
  let said = '';
  let told = 0;
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', text => (said += text));
  return {
    async port() {
      for (const from = told; ; await pause(50)) {
        const found = [...said.matchAll(/https:\/\/localhost:(\d+)/g)];
        if (found.length > from) {
          told = found.length;
          return Number(found.at(-1)![1]);
        }
        if (child.exitCode !== null) throw new Error(`${command} ended with ${child.exitCode}:\n${said}`);
      }
    },
    async stop() {
      if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
      await ended;
    },
  };
}

/** As soon as the scanner is listed. */
async function scanned(port: number, scannerName: string): Promise<{ status: number; json: ScanJson }> {
  for (;;) {
    const { json } = await request(port, 'GET', '/api/twain/scanners');
    if ((json as { scanners: { name: string }[] }).scanners.some(({ name }) => name === scannerName)) break;
    await pause(50);
  }
  const body = { scannerName, parameters: { resolution: 100, pageSize: 'A5', imageFormat: 'Png' } };
  const { status, json } = await request(port, 'POST', '/api/twain/scan', { body });
  return { status, json: json as ScanJson };
}
