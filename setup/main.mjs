/** The one script behind `npm start`, `npm test` and `npm run bench`: makes this clone ready, then does what was asked. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { alone } from './lock.mjs';
import { buildNative, buildProjects, installDependencies, makeCertificate, prepareTestRunner } from './steps.mjs';
import { root, StepError } from './step.mjs';
import { installSystemPackages } from './systemPackages.mjs';
import { prepareWindows } from './windows.mjs';

const usage = `node setup/main.mjs [packages | start | test | bench] [arguments]

(nothing)          makes this clone ready: dependencies, build, certificate
packages           installs the system's packages that tests and native helpers need, or says which they are
start [flags]      … and serves server/config/try.json; the flags are those of "platen serve".
                   On Windows it starts the desktop application (server/config/host.json) beside it
test [paths]       … and runs the tests: all of them, or those under the given files and folders;
                   with --coverage it also writes coverage/index.html
bench [arguments]  … and measures`;

const commands = {
  async ready() {
    await alone([installDependencies, buildProjects, buildNative, makeCertificate]);
    return 0;
  },

  async packages() {
    await alone([installSystemPackages]);
    return 0;
  },

  async start(args) {
    await commands.ready();
    // A configuration that was asked for in any other way goes before the one for trying out.
    const chosen = process.env.PLATEN_CONFIG || args.some(arg => arg === '--config' || arg.startsWith('--config='));
    const config = chosen ? [] : ['--config', join(root, 'server', 'config', 'try.json')];
    const program = join(root, 'server', 'bin', 'platen.cjs');
    const asks = args.includes('--help');
    // There the scanners belong to the desktop application: without it the service for trying out would answer 503.
    const desktop =
      process.platform === 'win32' && !chosen && !asks
        ? beside([program, 'host', '--config', join(root, 'server', 'config', 'host.json')])
        : undefined;
    try {
      return await handOver([program, 'serve', ...config, ...args]);
    } finally {
      desktop?.kill();
    }
  },

  async test(args) {
    await alone([
      installSystemPackages,
      installDependencies,
      buildProjects,
      buildNative,
      prepareWindows,
      prepareTestRunner,
    ]);
    const { runTests } = await import(pathToFileURL(join(root, 'test', 'dist', 'tools', 'runTests.js')).href);
    return runTests(root, args);
  },

  async bench(args) {
    await alone([installDependencies, buildProjects, buildNative]);
    return handOver([join(root, 'test', 'dist', 'bench', 'main.js'), ...args]);
  },
};

/** A Node program that is there as long as this one; what becomes of it changes nothing here. */
function beside(args) {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] });
  child.on('error', error => console.error(`The desktop application could not be started: ${error.message}.`));
  return child;
}

/** Signals that arrive within this many milliseconds are one: npm passes on what the process group has got already. */
const echoMs = 1000;

/**
 * Runs a Node program in place of this one: its terminal, its signals, its exit code.
 * A terminal's Ctrl-C reaches both processes by itself.
 */
function handOver(args) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { stdio: 'inherit' });
    let last = 0;
    const stop = signal => {
      const echo = Date.now() - last < echoMs;
      last = Date.now();
      if (!echo && !(signal === 'SIGINT' && process.stdin.isTTY)) child.kill(signal);
    };
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop);
    if (process.env.npm_lifecycle_event) whenOrphaned(() => stop('SIGTERM'));
    child.on('error', reject);
    child.on('exit', (code, signal) => resolve(signal ? 1 : code));
  });
}

/** npm that is told to stop stops the shell that it began us with, and that shell tells nobody. */
function whenOrphaned(tell) {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    tell();
  }, 500).unref();
}

async function main([name = 'ready', ...args]) {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19)) {
    console.error(
      `Platen needs Node 20.19 or newer; this is Node ${process.versions.node}. Get a current one at https://nodejs.org.`,
    );
    return 1;
  }
  if (name === '--help' || name === '-h') {
    console.log(usage);
    return 0;
  }
  if (!Object.hasOwn(commands, name)) {
    console.error(`setup/main.mjs has no command "${name}".\n\n${usage}`);
    return 2;
  }
  return commands[name](args);
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof StepError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
