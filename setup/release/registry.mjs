/** A registry for packages on loopback: takes ours, and passes everything else on to the registry that npm uses. */
import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { StepError } from '../step.mjs';
import { npmConfig } from './npm.mjs';
import { manifestOf } from './tarball.mjs';
import { installTools, loadTool } from './tools.mjs';

/** Milliseconds in which it listens: it loads about a thousand files. */
const startWithin = 120_000;
/** Milliseconds in which it ends by itself. */
const endWithin = 5_000;

/** Scopes whose packages never come from elsewhere, and that `publish` takes. */
const ownScopes = ['@platen'];

/**
 * Starts it in a process of its own, which ends with this one, however this one ends.
 * @param {{ folder: string, scopes?: readonly string[] }} options
 *   folder: what it keeps; created; the packages of a registry that ran in it before are there again.
 *   scopes: further scopes that are ours, such as "@acme"
 * @returns {Promise<{ url: string, publish(tarball: string): Promise<void>, stop(): Promise<void> }>}
 *   url: with a slash at the end, for `npm --registry`
 * @throws {StepError} if it cannot be installed or does not listen
 */
export async function startRegistry({ folder, scopes = [] }) {
  const modules = await installTools();
  const { publish } = await loadTool('libnpmpublish');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const log = join(folder, 'registry.log');
  const [registry, cafile] = await Promise.all([npmConfig('registry'), npmConfig('cafile')]);
  const child = launch(log);
  const ended = new Promise(resolve => child.once('exit', resolve));
  const user = { name: 'release', password: randomBytes(18).toString('base64url') };
  child.send({
    modules,
    folder,
    user,
    scopes: [...ownScopes, ...scopes],
    uplink: { registry, ca: cafile && readFileSync(cafile, 'utf8') },
  });
  const url = await listening(child, log);
  const token = await logIn(url, user);

  return {
    url,
    async publish(tarball) {
      const data = await readFile(tarball);
      const manifest = manifestOf(data, tarball);
      try {
        await publish(manifest, data, { registry: url, access: 'public', forceAuth: { token } });
      } catch (error) {
        throw new StepError(`${manifest.name}@${manifest.version} could not be published to ${url}: ${error.message}`);
      }
    },
    async stop() {
      child.disconnect();
      const late = setTimeout(() => child.kill('SIGKILL'), endWithin);
      await ended;
      clearTimeout(late);
    },
  };
}

function launch(log) {
  const program = fileURLToPath(new URL('registryProcess.mjs', import.meta.url));
  const output = openSync(log, 'a');
  try {
    // A group of its own: Ctrl-C reaches this process, which says when it ends.
    return fork(program, { stdio: ['ignore', output, output, 'ipc'], detached: true, execArgv: [] });
  } finally {
    closeSync(output);
  }
}

function listening(child, log) {
  return new Promise((resolve, reject) => {
    const fail = reason => {
      clearTimeout(late);
      child.kill('SIGKILL');
      reject(new StepError(`The registry for the release did not start: ${reason}.\n${tail(log)}`));
    };
    const late = setTimeout(() => fail(`it did not listen within ${startWithin / 1000} s`), startWithin);
    const ended = (code, signal) => fail(`it ended with ${code ?? signal}`);
    child.once('error', error => fail(error.message));
    child.once('exit', ended);
    child.once('message', ({ port }) => {
      clearTimeout(late);
      child.off('exit', ended);
      resolve(`http://127.0.0.1:${port}/`);
    });
  });
}

function tail(log) {
  return readFileSync(log, 'utf8').trimEnd().split('\n').slice(-20).join('\n');
}

/** @returns a token that is valid as long as this registry runs */
async function logIn(url, { name, password }) {
  const answer = await fetch(`${url}-/user/org.couchdb.user:${name}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name, password }),
  });
  const { token } = /** @type {{ token?: string }} */ (await answer.json());
  if (!answer.ok || !token)
    throw new StepError(`The registry for the release refused its own user (${answer.status}).`);
  return token;
}
