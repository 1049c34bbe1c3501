/** Debian's browsers, without a window, as a person's who has this home: whether they accept a page's certificate. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { CHROMIUM, PATIENCE_MS } from '../browser/chromium.js';

type Env = Readonly<Record<string, string>>;

const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** @returns the page's text, or why it does not open */
export async function chromiumOpens(url: string, env: Env): Promise<string> {
  const options = { executablePath: CHROMIUM, args, timeout: PATIENCE_MS };
  const browser = await chromium.launch({ ...options, env: { ...process.env, ...env } });
  try {
    const context = await browser.newContext({ ignoreHTTPSErrors: false });
    const response = await (await context.newPage()).goto(url, { timeout: PATIENCE_MS });
    return (await response?.text()) ?? '';
  } catch (error) {
    return String(error);
  } finally {
    await browser.close();
  }
}

/**
 * Playwright cannot drive Debian's Firefox; the test's own server sees a request, or that the certificate was rejected.
 */
export async function firefoxAccepts(
  pair: { readonly key: Buffer; readonly cert: Buffer },
  profile: string,
  env: Env,
): Promise<boolean> {
  const server = createServer(pair, (_request, response) => response.end('hello'));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const accepted = new Promise<boolean>(resolve => {
    server.on('request', () => resolve(true));
    server.on('tlsClientError', () => resolve(false));
  });
  const shots = await mkdtemp(join(profile, '..', 'shots-'));
  const { port } = server.address() as AddressInfo;
  const browser = spawn(
    'firefox-esr',
    [
      '--headless',
      '--no-remote',
      '--profile',
      profile,
      '--screenshot',
      join(shots, 'page.png'),
      `https://localhost:${port}/`,
    ],
    {
      env: { ...process.env, ...env },
      stdio: 'ignore',
      detached: true,
    },
  );
  const ended = once(browser, 'exit');
  try {
    return await Promise.race([
      accepted,
      ended.then(() => Promise.reject(new Error('Firefox ended before it asked.'))),
    ]);
  } finally {
    // With the processes that it started, which all are of its group.
    if (browser.pid !== undefined && browser.exitCode === null) process.kill(-browser.pid, 'SIGKILL');
    await ended;
    server.closeAllConnections();
    server.close();
    await rm(shots, { recursive: true, force: true });
  }
}
