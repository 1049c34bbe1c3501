/**
 * A computer for the doctor to check: a data folder, a configuration, and a server on the port that answers as told.
 */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer as createPlainServer, type Server } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Test } from 'tap';
import { doctor } from './doctor.js';
import { lockDataFolder } from '../machine/dataFolder/lock.js';
import { createCertificate, readPublicPart } from '../machine/tls/certificate.js';
import { allOf, fakeStore } from '../machine/tls/trust/fakes.test.kit.js';
import type { Finding, State } from './doctor/finding.js';

/** What the server on the port answers, by path: a status and a body; text is sent unchanged. */
export type Answers = Readonly<Record<string, Answer | (() => Answer)>>;
type Answer = readonly [status: number, body: object | string];

export const rootInfo = {
  service: 'Platen',
  version: '0.1.0.0',
  status: 'running',
  timestamp: '2026-01-01T00:00:00.000Z',
};
const scanner = { name: 'Feeder A', isOnline: true };

/** A service with no fault. */
export const well: Answers = {
  '/': [200, rootInfo],
  '/health': [200, 'Healthy'],
  '/api/twain/scanners': [200, { success: true, scanners: [scanner], count: 1 }],
  '/api/twain/scan': [
    200,
    { success: true, status: 'Success', message: '', images: [{ width: 1700, height: 2200, fileSizeBytes: 9 }] },
  ],
};

export interface PatientOptions {
  /** The certificate's age in days; it is valid for 824. Absent: 0. Undefined: there is no certificate. */
  readonly certificateAge?: number | undefined;
  /** How many, each of which takes over from the one before. 1 if absent. */
  readonly certificates?: number;
  readonly trusted?: boolean;
  /** Whether a service holds the data folder. */
  readonly running?: boolean;
  /** Undefined: nothing listens. */
  readonly answers?: Answers | undefined;
  /** The server on the port presents another certificate. */
  readonly foreign?: boolean;
  /** The server on the port does not speak TLS. */
  readonly plain?: boolean;
  /** Milliseconds to wait for drivers that still look for scanners. 0 if absent. */
  readonly searchMs?: number;
  readonly config?: string;
}

export interface Diagnosis {
  readonly code: number;
  readonly findings: readonly Finding[];
  /** The states, by id. */
  readonly states: Readonly<Record<string, State>>;
  of(id: string): Finding | undefined;
}

export interface Patient {
  readonly dir: string;
  /** Stands for `/`: where browsers' policies are looked for. */
  readonly root: string;
  readonly port: number;
  /** The requested paths, with bodies. */
  readonly asked: readonly string[];
  /** The paths that were requested with an `Authorization`, with it. */
  readonly proven: readonly string[];
  examine(...args: string[]): Promise<Diagnosis>;
  /** The printed lines. */
  told(...args: string[]): Promise<readonly string[]>;
}

export async function patient(t: Test, options: PatientOptions = {}): Promise<Patient> {
  const { trusted = true, running = true, foreign = false, plain = false, config = '{ "plugins": [] }' } = options;
  const age = 'certificateAge' in options ? options.certificateAge : 0;
  const answers = 'answers' in options ? options.answers : well;
  const own = await mkdtemp(join(tmpdir(), 'platen-doctor-'));
  t.teardown(() => rm(own, { recursive: true, force: true }));
  const [dir, other, file] = [join(own, 'data'), join(own, 'other'), join(own, 'platen.json')];
  for (const each of [dir, other]) await mkdir(each, { mode: 0o700 });
  await writeFile(file, config, { mode: 0o600 });
  if (age !== undefined)
    await createCertificate(dir, new Date(Date.now() - age * 24 * 60 * 60 * 1000), {
      count: options.certificates ?? 1,
    });
  if (running) t.teardown(await lockDataFolder(dir));

  const asked: string[] = [];
  const proven: string[] = [];
  const { key, cert } = await createCertificate(other).then(() =>
    readKeyAndCert(foreign || age === undefined ? other : dir),
  );
  const server: Server = plain ? createPlainServer() : (createServer({ key, cert }) as unknown as Server);
  server.on('request', (request, response) => {
    let body = '';
    request
      .setEncoding('utf8')
      .on('data', part => (body += String(part)))
      .on('end', () => {
        asked.push(`${request.url} ${body}`.trim());
        const { authorization } = request.headers;
        if (authorization !== undefined) proven.push(`${request.url} ${authorization}`);
        const found = answers?.[request.url ?? ''] ?? [404, 'not here'];
        const [status, answer] = typeof found === 'function' ? found() : found;
        response.writeHead(status).end(typeof answer === 'string' ? answer : JSON.stringify(answer));
      });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = (): Promise<void> => new Promise(resolve => server.close(() => resolve()));
  if (answers === undefined) await close();
  else t.teardown(close);

  const sha1 = (await readPublicPart(dir))?.thumbprintSha1 ?? '';
  const stores = async () => allOf(fakeStore('the store of this computer', trusted ? [sha1] : []));
  const browsers = { platform: 'linux', root: join(own, 'computer'), env: {}, run: async () => undefined } as const;
  const run = async (args: readonly string[]): Promise<{ code: number; lines: string[] }> => {
    const lines: string[] = [];
    const io = {
      out: (line: string) => void lines.push(line),
      err: (line: string) => void lines.push(line),
      env: { PLATEN_DATA_DIR: dir, PLATEN_CONFIG: file, PLATEN_PORT: String(port) },
      cwd: own,
    };
    return { code: await doctor([...args], io, { stores, browsers, searchMs: options.searchMs ?? 0 }), lines };
  };
  return {
    dir,
    root: browsers.root,
    port,
    asked,
    proven,
    async examine(...args) {
      const { code, lines } = await run([...args, '--json']);
      const { findings } = JSON.parse(lines.join('\n')) as { findings: Finding[] };
      return {
        code,
        findings,
        states: Object.fromEntries(findings.map(({ id, state }) => [id, state])),
        of: id => findings.find(each => each.id === id),
      };
    },
    told: async (...args) => (await run(args)).lines,
  };
}

async function readKeyAndCert(dir: string): Promise<{ key: string; cert: string }> {
  const [key, cert] = await Promise.all(
    ['key.pem', 'cert.pem'].map(name => readFile(join(dir, 'certificate', name), 'utf8')),
  );
  return { key: key ?? '', cert: cert ?? '' };
}
