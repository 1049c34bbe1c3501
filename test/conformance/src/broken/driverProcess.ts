/** Drivers that take too much of their process: memory, copies, and what they leave open. */
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { openSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from '@platen/core/plugin';
import type { DriverRig } from '../driverRig.js';
import type { FakeDriverOptions } from '../fakeDriver.js';
import { withDriver, withPages, withScan, withSession, type BrokenDriver } from './brokenDriver.js';

const page: NonNullable<FakeDriverOptions['page']> = { width: 200, height: 200, pixels: 'gray8' };
const kept: unknown[] = [];

/** Ends with the rig what the broken driver leaves. */
function cleaned(make: () => DriverRig, clean: () => void): () => DriverRig {
  return () => {
    const rig = make();
    return {
      ...rig,
      async dispose() {
        await rig.dispose?.();
        clean();
      },
    };
  };
}

let timer: NodeJS.Timeout;
let helper: ChildProcess;

export const driverProcess: readonly BrokenDriver[] = [
  {
    breaks: 'speed-copies-of-a-page',
    how: 'sends pages through base64, and keeps each step',
    says: /took \d+ bytes of memory at its peak, [4-9](\.\d)? times its size/,
    make: withScan(async function* ({ scan }) {
      for await (const page of scan()) {
        const text = Buffer.from(page.data).toString('base64');
        const steps = [text, Buffer.from(text), Uint8Array.from(page.data)];
        const whole: Page = { ...page, data: Buffer.from(text, 'base64') };
        await pause(20);
        assert.ok(steps);
        yield whole;
      }
    }),
  },
  {
    breaks: 'speed-waiting-pages-are-few',
    how: 'scans the whole stack and then hands the pages over',
    says: /one page was pulled, and meanwhile (9|1\d)(\.\d)? pages of \d+ bytes came to wait in memory/,
    make: withScan(async function* ({ scan }) {
      const pages: Page[] = [];
      for await (const page of scan()) pages.push(page);
      for (let page = pages.shift(); page; page = pages.shift()) yield page;
    }),
  },
  {
    breaks: 'memory-does-not-grow',
    how: 'keeps every page for its log',
    says: /memory grew by \d+ and then by \d+ bytes in 80 pages of 40000 bytes/,
    make: cleaned(
      withPages(page => (kept.push(page), page), { page }),
      () => kept.splice(0),
    ),
  },
  {
    breaks: 'leaves-nothing-open',
    how: 'polls on after its close',
    says: /after the driver's close there are still open: Timeout/,
    features: { timeoutMs: 2000 },
    make: cleaned(
      withDriver(fake => ({
        open(deviceId, call) {
          timer = setInterval(() => {}, 10_000);
          return fake.open(deviceId, call);
        },
      })),
      () => clearInterval(timer),
    ),
  },
  {
    breaks: 'leaves-nothing-open',
    how: 'leaves its helper running',
    says: /after the driver's close there are still open: .*(process \d+|ProcessWrap)/,
    features: { timeoutMs: 2000 },
    make: cleaned(
      withSession(session => ({
        async status(call) {
          helper = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60_000)'], { stdio: 'ignore' });
          return session.status(call);
        },
      })),
      () => void helper.kill('SIGKILL'),
    ),
  },
  ...(process.platform === 'linux'
    ? [
        {
          breaks: 'memory-does-not-grow',
          how: 'opens a file for each scan',
          says: /1\d and then 1\d more files and sockets were open after 80 pages in 16 scans/,
          make: withScan(({ scan }) => {
            openSync('/dev/null', 'r');
            return scan();
          }),
        },
      ]
    : []),
];
