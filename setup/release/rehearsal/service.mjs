/** An installed service on a desk: started as a user starts it, and called over HTTPS with its own certificate. */
import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { StepError } from '../../step.mjs';
import { sizeOfPng } from './png.mjs';

/** Milliseconds. */
const startWithin = 60_000;
const listedWithin = 30_000;
const endWithin = 10_000;
const millimetresPerInch = 25.4;
/** A4. */
const [width, height] = [210, 297];

/**
 * @param {ReturnType<typeof import('./desk.mjs').createDesk>} desk with `@platen/server` installed
 * @param {{ args?: string[], env?: NodeJS.ProcessEnv }} [options]
 * @throws {StepError} if it does not listen
 */
export async function startService(desk, { args = [], env = {} } = {}) {
  const made = await desk.platen(['cert', 'install', '--no-trust'], env);
  if (made.code !== 0) throw new StepError(`platen cert install ended with ${made.code}:\n${made.output}`);
  const child = desk.start(['serve', ...args], env);
  const ended = new Promise(resolve => child.once('close', (code, signal) => resolve(code ?? signal)));
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  let [out, log] = ['', ''];
  child.stderr.setEncoding('utf8').on('data', text => (log += text));
  const listening = new Promise(resolve => {
    child.stdout.setEncoding('utf8').on('data', text => {
      out += text;
      const found = /https:\/\/localhost:(\d+)/.exec(out);
      if (found) resolve(Number(found[1]));
    });
  });
  const port = await Promise.race([
    listening,
    ended.then(() => undefined),
    pause(startWithin, undefined, { ref: false }),
  ]);
  if (port === undefined) {
    kill();
    throw new StepError(`The installed service did not start:\n${log}${out}`);
  }
  const ca = readFileSync(join(desk.data, 'certificate', 'cert.pem'));

  return {
    log: () => log,
    /** Of the release; the line that it prints says it in four numbers, as Windows does. */
    version: /Platen (\d+\.\d+\.\d+)/.exec(out)?.[1] ?? '',
    call: (method, path, body) => call({ port, ca, method, path, body }),

    /**
     * Scans A4 pages as PNG with a scanner, as soon as it is listed.
     * @returns {Promise<number>} the count of pages, each of which is a whole image of its size
     * @throws {StepError}
     */
    async scan(scannerName, { resolution = 100, pageSize = 'A4', size = { width, height } } = {}) {
      await this.listed(scannerName);
      const body = { scannerName, parameters: { resolution, pageSize, imageFormat: 'Png' } };
      const { status, json } = await call({ port, ca, method: 'POST', path: '/api/twain/scan', body });
      if (status !== 200 || !json.success || !json.images.length) {
        throw new StepError(`A scan with ${scannerName} failed: ${status} ${json.error ?? json.message}\n${log}`);
      }
      for (const image of json.images) checkPage(image, { scannerName, resolution, size });
      return json.images.length;
    },

    async listed(scannerName) {
      for (const began = Date.now(); ; await pause(50)) {
        const { json } = await call({ port, ca, method: 'GET', path: '/api/twain/scanners' });
        const names = json.scanners.map(each => each.name);
        if (names.includes(scannerName)) return;
        if (Date.now() - began > listedWithin) {
          throw new StepError(`${scannerName} is not listed; listed are: ${names.join(', ') || 'none'}.\n${log}`);
        }
      }
    },

    /** @throws {StepError} if it does not end in order */
    async stop() {
      child.kill('SIGTERM');
      const late = setTimeout(kill, endWithin);
      const code = await ended;
      clearTimeout(late);
      process.off('exit', kill);
      if (code !== 0) throw new StepError(`The service ended with ${code}:\n${log}`);
    },
  };
}

/** Scanners cut a page to whole pixels in their own way. */
const tolerance = 2;

function checkPage(image, { scannerName, resolution, size }) {
  const found = sizeOfPng(Buffer.from(image.base64Data, 'base64'), `page ${image.pageNumber} of ${scannerName}`);
  for (const side of ['width', 'height']) {
    const wanted = (size[side] / millimetresPerInch) * resolution;
    if (Math.abs(found[side] - wanted) > tolerance) {
      throw new StepError(
        `Page ${image.pageNumber} of ${scannerName} has a ${side} of ${found[side]} pixels instead of ${Math.round(wanted)}.`,
      );
    }
  }
}

/** @param {{ port: number, ca: Buffer, method: string, path: string, body?: object }} asked @returns {Promise<{ status: number | undefined, json: any }>} */
function call({ port, ca, method, path, body }) {
  const sent = body === undefined ? undefined : JSON.stringify(body);
  const headers = sent === undefined ? {} : { 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    const made = request({ host: 'localhost', port, ca, method, path, headers, agent: false }, answer => {
      let text = '';
      answer.setEncoding('utf8').on('data', part => (text += part));
      answer.on('error', reject);
      answer.on('end', () => resolve({ status: answer.statusCode, json: JSON.parse(text) }));
    });
    made.on('error', reject);
    made.end(sent);
  });
}
