/**
 * A step of the set-up: one line on the terminal, a child's output only if it failed, and a sentence for every failure.
 */
import { spawn } from 'node:child_process';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The clone. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** A failure whose message is enough for a person, without a stack. */
export class StepError extends Error {}

/** Milliseconds before the first dot of a running step, and between dots. */
const dotEvery = 2000;

/**
 * Runs a program quietly, as one step.
 * @param {string} title what the step does, for people
 * @param {readonly string[]} command a program and its arguments
 * @param {{ cwd?: string, env?: object, shell?: boolean, beside?: boolean }} [options] beside: other steps run meanwhile,
 * so that its line is printed when it ends
 * @returns {Promise<string>} its output
 * @throws {StepError} if it fails, after its output was printed
 */
export async function run(title, [program, ...args], { beside = false, ...options } = {}) {
  const began = Date.now();
  if (!beside) process.stdout.write(`${title} `);
  const dots = beside ? undefined : setInterval(() => process.stdout.write('.'), dotEvery);
  const { code, output } = await capture(program, args, options).finally(() => clearInterval(dots));
  const seconds = ((Date.now() - began) / 1000).toFixed(1);
  // Another step may be in the middle of its line.
  process.stdout.write(`${beside ? `\n${title}` : ''} ${code === 0 ? `${seconds} s` : 'failed'}\n`);
  if (code === 0) return output;
  console.error(output.trimEnd());
  throw new StepError(`${title}: failed (${code}). See the lines above.`);
}

function capture(program, args, options) {
  return new Promise(resolve => {
    const child = spawn(program, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], ...options });
    let output = '';
    const take = chunk => (output += chunk);
    child.stdout.setEncoding('utf8').on('data', take);
    child.stderr.setEncoding('utf8').on('data', take);
    child.on('error', error => resolve({ code: error.message, output }));
    child.on('close', (code, signal) => resolve({ code: code ?? signal, output }));
  });
}

/**
 * Runs steps while another one runs that prints nothing until it ends.
 * @param {() => Promise<void>} step
 * @param {(() => Promise<void>)[]} others in order
 * @throws what one of them throws, when all have ended
 */
export async function meanwhile(step, others) {
  const inOrder = async () => {
    for (const each of others) await each();
  };
  const ends = await Promise.allSettled([step(), inOrder()]);
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}

/**
 * @param {...string} args
 * @returns {string[]} npm's command line, of the npm that runs this script if there is one
 */
export function npm(...args) {
  const own = process.env.npm_execpath;
  return own?.endsWith('npm-cli.js') ? [process.execPath, own, ...args] : ['npm', ...args];
}

/** On Windows, `npm` is a script that needs the shell. */
export const npmOptions = { shell: npm()[0] === 'npm' && process.platform === 'win32' };
