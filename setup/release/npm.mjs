/** npm for the release: not influenced by an npm that runs it, but with the person's registry, cache and proxy. */
import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { promisify } from 'node:util';
import { npm, npmOptions, StepError } from '../step.mjs';

export { npm, npmOptions };

/** Of the variables that npm sets for its scripts, those that say how to reach packages. */
const kept =
  /^npm_(execpath|config_(registry|cache|userconfig|globalconfig|https?_proxy|proxy|noproxy|cafile|\/\/.*:_authToken))$/i;

/** @returns {NodeJS.ProcessEnv} this process's environment without a surrounding npm's, tap's or coverage's variables */
export function npmEnv(more = {}) {
  const own = Object.entries(process.env).filter(
    ([name]) => kept.test(name) || !/^(npm_|INIT_CWD|NODE_OPTIONS|NODE_V8_COVERAGE|_?TAP)/i.test(name),
  );
  return { ...Object.fromEntries(own), ...more };
}

/**
 * @param {string} name a setting of npm, such as "registry"
 * @returns {Promise<string | undefined>} its value outside any project; undefined: not set
 */
export async function npmConfig(name) {
  const [program, ...args] = npm('config', 'get', name);
  const options = { cwd: tmpdir(), env: npmEnv(), ...npmOptions };
  const { stdout } = await promisify(execFile)(program, args, options);
  const value = stdout.trim();
  return value === 'null' || value === 'undefined' || value === '' ? undefined : value;
}

/**
 * npm does not read NODE_AUTH_TOKEN by itself: only a line of its configuration names it.
 * @param {string | undefined} token
 * @param {string} registry
 * @returns {Record<string, any>} the variable with which npm sends the token to the registry; empty without a token
 */
export function tokenVariable(token, registry) {
  if (!token) return {};
  const { host, pathname } = new URL(registry);
  return { [`npm_config_//${host}${pathname.replace(/\/?$/, '/')}:_authToken`]: token };
}

/**
 * @param {string} name
 * @returns {Promise<boolean>} whether the registry has any version of the package
 * @throws {StepError} if the registry does not say
 */
export async function isPublished(name) {
  return (await viewed(name, 'name', npmEnv())) !== undefined;
}

/** @returns {Promise<string | undefined>} a field of what the registry has; undefined: it has no such package */
export function viewed(spec, field, env) {
  const [program, ...args] = npm('view', spec, field, '--json');
  return new Promise((done, fail) => {
    execFile(program, args, { ...npmOptions, env }, (error, out, words) => {
      if (error && /E404/.test(out + words)) done(undefined);
      else if (error) fail(new StepError(`npm does not say whether ${spec} is published: ${words.trim()}`));
      else done(out.trim() === '' ? undefined : String(JSON.parse(out)));
    });
  });
}
