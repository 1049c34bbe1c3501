/** The one script behind `npm start`, `npm test` and `npm run bench`: sets the clone up, then runs the command. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { alone } from './lock.mjs';
import {
  buildNative,
  buildProduct,
  buildProjects,
  bundle,
  installDependencies,
  installProduct,
  makeCertificate,
} from './steps.mjs';
import { tunables } from '../server/bin/glibc.cjs';
import { condition } from './serviceBundle.mjs';
import { meanwhile, root, StepError } from './step.mjs';
import { installSystemPackages, systemPackages } from './systemPackages.mjs';
import { prepareWindows } from './windows.mjs';

const usage = `node setup/main.mjs [packages | all | start | test | bench] [arguments]

(nothing)          sets this clone up: dependencies, build, certificate
packages           installs the system packages that all tests and native helpers need, or lists them
all [--long]       sets it up, and meanwhile installs the system packages of the tests; --long: of the long ones, too
start [flags]      sets it up and serves server/config/try.json; takes the flags of "platen serve".
                   On Windows it starts the desktop application (server/config/host.json) beside it
test [paths]       sets it up and runs all tests, or those in the given files and folders: see test/README.md
bench [arguments]  sets it up and runs the benchmarks`;

const made = [installDependencies, buildProjects, bundle];

/** Most of the time, one of the two waits for the network. */
const withPackages = args => () =>
  meanwhile(() => installSystemPackages({ long: args.includes('--long'), beside: true }), made);

const commands = {
  async ready() {
    await alone([...made, buildNative, makeCertificate]);
    return 0;
  },

  async packages() {
    await alone([() => installSystemPackages({ long: true })]);
    return 0;
  },

  async all(args) {
    await alone([withPackages(args), buildNative, makeCertificate]);
    return 0;
  },

  async start(args) {
    // What only a developer needs is not waited for: `npm test`, or this script without a command, installs it.
    await alone([installProduct, buildProduct, bundle, buildNative, makeCertificate]);
    // A configuration given in any other way overrides try.json.
    const chosen = process.env.PLATEN_CONFIG || args.some(arg => arg === '--config' || arg.startsWith('--config='));
    const config = chosen ? [] : ['--config', join(root, 'server', 'config', 'try.json')];
    const program = [`--conditions=${condition}`, join(root, 'server', 'bin', 'platen.cjs')];
    // Node before 22.15 cannot set it for itself: see the program.
    process.env.GLIBC_TUNABLES ??= tunables;
    const asks = args.includes('--help');
    // On Windows the scanners belong to the desktop application: without it, the service would answer 503.
    const desktop =
      process.platform === 'win32' && !chosen && !asks
        ? beside([...program, 'host', '--config', join(root, 'server', 'config', 'host.json')])
        : undefined;
    try {
      return await handOver([...program, 'serve', ...config, ...args]);
    } finally {
      desktop?.kill();
    }
  },

  async test(args) {
    // Who names tests wants their result at once: what whole runs prepare is there, or the tests skip and name it.
    const isWhole = args.every(arg => arg.startsWith('--') && arg !== '--changed');
    const isOfWindows = args.some(arg => /twain|windows/.test(arg));
    await alone([...(isWhole ? [withPackages(args)] : made), buildNative]);
    const { runTests } = await import(pathToFileURL(join(root, 'test', 'dist', 'tools', 'runTests.js')).href);
    const packages = Object.fromEntries(systemPackages.map(each => [each.program, each.package]));
    let code;
    await meanwhile(isWhole || isOfWindows ? prepareWindows : async () => undefined, [
      async () => void (code = await runTests(root, args, packages)),
    ]);
    return code;
  },

  async bench(args) {
    await alone([installDependencies, buildProjects, bundle, buildNative]);
    // Its fixtures load tap, which would end it after 30 s.
    process.env['TAP_TIMEOUT'] = '0';
    return handOver([join(root, 'test', 'dist', 'bench', 'main.js'), ...args]);
  },
};

/** Runs a Node program as long as this one runs; its end has no effect here. */
function beside(args) {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] });
  child.on('error', error => console.error(`The desktop application could not be started: ${error.message}.`));
  return child;
}

/** Signals within this many milliseconds count as one: npm forwards signals that the process group already got. */
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

/** npm, when told to stop, stops the shell that started this process, and that shell does not pass the signal on. */
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
