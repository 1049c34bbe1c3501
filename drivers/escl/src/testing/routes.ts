/** The response to each eSCL request. */
import { setTimeout as pause } from 'node:timers/promises';
import { capabilities, status } from './documents.js';
import type { DocumentFault, FaultTable, PageFault } from './faults.js';
import { entityBomb, webPage } from './hostile.js';
import type { Motor } from './motor.js';
import type { Build } from './options.js';
import type { Job } from './jobs.js';
import type { PaperPath } from './paperPath.js';
import type { Picture } from './pictures.js';
import type { Reply } from './replies.js';
import { readSettings, type ScanSettings } from './settings.js';

export interface Question {
  readonly method: string;
  readonly path: string;
  readonly host: string;
  readonly body: string;
}

export interface Body {
  readonly build: Build;
  readonly path: PaperPath;
  readonly faults: FaultTable;
  /** Its own `http://127.0.0.1:port`, and that of a host that no client may follow to. */
  readonly origin: string;
  readonly elsewhere: string;
  render(picture: Picture, settings: ScanSettings): Promise<Buffer>;
  /** Of a feeder whose motor runs on. */
  readonly running: Motor | undefined;
  /** Held pages wait here. */
  passes(): Promise<void>;
  unplug(): void;
}

/** A page counts as delivered to the job when it was sent completely. */
export type Answer = Reply & { readonly delivers?: Job };

const xml = { 'Content-Type': 'text/xml' };
const html = { 'Content-Type': 'text/html' };

export async function answer(body: Body, question: Question): Promise<Answer> {
  const { build, path } = body;
  const { port } = new URL(body.origin);
  const rule =
    build.host === 'port' ? new RegExp(`:${port}$`) : build.host === 'localhost' ? /^localhost(:\d+)?$/ : /^/;
  if (!rule.test(question.host)) return { status: 400, headers: html, body: webPage };
  const root = build.root === '' ? '' : `/${build.root}`;
  if (!question.path.startsWith(`${root}/`)) return { status: 404 };
  const [first, id, last, ...more] = question.path.slice(root.length + 1).split('/');
  const verb = [
    question.method,
    first,
    ...(id === undefined ? [] : ['id']),
    ...(last === undefined ? [] : [last]),
    ...more,
  ].join(' ');
  switch (verb) {
    case 'GET ScannerCapabilities':
      return document(body, 'ScannerCapabilities', () => capabilities(build));
    case 'GET ScannerStatus':
      return document(body, 'ScannerStatus', () =>
        status({
          adf: build.sensor && build.feeder !== 'none' ? path.adf() : undefined,
          jobs: path.jobs,
          jobsPath: `${root}/ScanJobs`,
        }),
      );
    case 'POST ScanJobs':
      return begin(body, question.body, `${root}/ScanJobs`);
    case 'GET ScanJobs id NextDocument': {
      const job = path.find(id ?? '');
      return job ? nextDocument(body, job) : { status: 404 };
    }
    case 'DELETE ScanJobs id': {
      if (body.faults.has('deafToEnd')) return { status: 200, manner: 'never' };
      const job = path.find(id ?? '');
      if (job) path.end(job, 'Canceled', 'JobCanceledByUser');
      if (job && build.forgets) path.trouble = undefined;
      return { status: job ? 200 : 404 };
    }
    default:
      return { status: 404 };
  }
}

function document({ faults, elsewhere }: Body, name: string, text: () => string): Answer {
  const manners: Readonly<Record<DocumentFault, () => Answer>> = {
    entities: () => ({ status: 200, headers: xml, body: entityBomb(name, elsewhere) }),
    hugeXml: () => ({ status: 200, headers: xml, body: `<?xml version="1.0"?><${name}><!-- `, manner: 'endless' }),
    notXml: () => ({ status: 200, headers: html, body: webPage }),
    deaf: () => ({ status: 200, manner: 'never' }),
    unavailable: () => ({ status: 503 }),
    redirectDocuments: () => ({ status: 302, headers: { Location: `${elsewhere}/eSCL/${name}` } }),
  };
  for (const fault of Object.keys(manners) as DocumentFault[]) if (faults.has(fault)) return manners[fault]();
  return { status: 200, headers: xml, body: text() };
}

function begin({ build, path, faults, origin, elsewhere, running }: Body, text: string, jobs: string): Answer {
  if (faults.has('busy')) return { status: 503 };
  if (faults.has('busyOnce')) {
    faults.spend('busyOnce');
    return { status: 503, headers: { 'Retry-After': '1' } };
  }
  if (faults.has('conflict')) return { status: 409 };
  if (faults.has('refused')) return { status: 500 };
  if (faults.has('redirectJobs')) return { status: 307, headers: { Location: `${elsewhere}${jobs}` } };
  const settings = readSettings(text, build);
  if ('refused' in settings)
    return { status: settings.refused, headers: { 'Content-Type': 'text/plain' }, body: settings.why };
  if (path.jobs.some(({ state }) => state === 'Processing')) return { status: 503 };
  if (settings.source === 'Feeder' && build.emptyFeeder === 'refuses' && !build.airSane && !path.isLoaded())
    return { status: 409 };
  const { id } = path.begin(settings);
  running?.start();
  if (faults.has('noLocation')) return { status: 201 };
  const host = faults.has('wrongLocation') ? elsewhere : origin;
  return { status: 201, headers: { Location: `${host}${jobs}/${id}` } };
}

async function nextDocument(body: Body, job: Job): Promise<Answer> {
  const { path, elsewhere } = body;
  const { status: code, retryAfter, picture, fault } = path.next(job);
  if (fault === 'offline') {
    body.unplug();
    return { status: code, manner: 'cut' };
  }
  if (fault === 'redirect') return { status: code, headers: { Location: `${elsewhere}/page.jpg` } };
  if (!picture) return { status: code, headers: retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) } };
  if (fault === 'hang') return { status: code, manner: 'never' };
  const page: Answer = {
    status: code,
    headers: { 'Content-Type': job.settings.format },
    body: await body.render(picture, job.settings),
    isLarge: job.settings.format === 'image/jpeg' && job.settings.resolution >= body.build.largeFrom,
    delivers: job,
  };
  if (body.build.sideMs > 0) await pause(body.build.sideMs);
  const scanning = job.settings.source === 'Feeder' ? (body.running?.until(job.fed - 1) ?? 0) : 0;
  if (scanning > 0) await pause(scanning);
  await body.passes();
  // A job that was deleted while its page was held sends nothing.
  if (job.state !== 'Processing') return { status: 410 };
  if (fault === 'torn' || fault === 'jamTorn') path.end(job, 'Aborted', 'AbortedBySystem');
  if (fault === 'jamTorn') {
    path.trouble = 'jam';
    const whole = Buffer.from(page.body ?? '');
    return { ...page, body: whole.subarray(0, whole.length >> 1) };
  }
  return { ...page, ...mannersOfPages[fault ?? 'empty'] };
}

const mannersOfPages: Partial<Readonly<Record<PageFault, Partial<Reply>>>> = {
  torn: { manner: 'torn' },
  brokenOff: { manner: 'torn' },
  slow: { manner: 'slow' },
  endless: { manner: 'endless' },
  wrongType: { headers: html },
  notJpeg: { body: webPage },
};
