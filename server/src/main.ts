/** The command line: loads the command and passes it the parts of the process that it may use. */
import { messageOf } from '@platen/core';
import { exitCodeOf, exitCodes } from './machine/exitCodes.js';
import type { Io } from './machine/io.js';
import { ConfigError } from './machine/configError.js';
import { decide, hangUpAction, leave, watchEnding } from './machine/ending.js';
import { printable, printableLines } from './machine/printable.js';

const help = `platen COMMAND

  serve              run the service
  cert               make, show or remove its certificate
  config check       check a configuration, and the plugins that it lists
  dev                run a plugin that is being written, restarted at each change
  doctor             check everything that a scan needs, and say how to fix what failed
  licence            make keys, sign and show licences of premium plugins
  origins            show, allow and refuse web pages that scan
  plugins            show, add and remove plugins
  host               run the desktop application, for scanners that the service cannot reach
  policy             print policies of browsers, which let a web application reach this computer unasked
  scan               scan into files, with or without a running service
  service            install Platen as a service of this computer, remove it, show its state
  settings           open the page that changes the options of plugins
  support            write a file for whoever helps, without secrets
  separator          write a sheet to print, which separates documents in a stack
  trace              record a session with a scanner, without its pages, for whoever fixes its driver

For a command's flags and exit codes: platen COMMAND --help
Versions: platen --version [--json]`;

/** How long open handles may keep the process alive after a command. */
const LINGER_MS = 2000;

/** Commands load on demand: the service starts in half the time without the others. */
const commands: Readonly<
  Record<string, () => Promise<(args: string[], io: Io, stop: () => Promise<string>) => Promise<number>>>
> = {
  async cert() {
    const { cert } = await import('./commands/cert.js');
    return (args, io) => cert(args, io);
  },
  config: async () => (await import('./commands/config.js')).config,
  async dev() {
    const { dev } = await import('./commands/dev.js');
    return (args, io, stop) => dev(args, io, stop());
  },
  async doctor() {
    const { doctor } = await import('./commands/doctor.js');
    return (args, io) => doctor(args, io);
  },
  async host() {
    const { host } = await import('./commands/host.js');
    return (args, io, stop) => host(args, io, stop());
  },
  licence: async () => (await import('./commands/licence.js')).licence,
  origins: async () => (await import('./commands/origins.js')).origins,
  async plugins() {
    const { plugins } = await import('./commands/plugins.js');
    return (args, io) => plugins(args, io);
  },
  async policy() {
    const { policy } = await import('./commands/policy.js');
    return (args, io) => policy(args, io);
  },
  async scan() {
    const { scan } = await import('./commands/scan.js');
    return (args, io, stop) => scan(args, io, stop());
  },
  async service() {
    const { service } = await import('./commands/service.js');
    return (args, io) => service(args, io);
  },
  async settings() {
    const { settings } = await import('./commands/settings.js');
    return (args, io, stop) => settings(args, io, stop());
  },
  async support() {
    const { support } = await import('./commands/support.js');
    return (args, io) => support(args, io);
  },
  separator: async () => (await import('./commands/separator.js')).separator,
  async serve() {
    const { serve } = await import('./commands/serve.js');
    return (args, io, stop) => serve(args, io, stop());
  },
  async trace() {
    const { trace } = await import('./commands/trace.js');
    return (args, io, stop) => trace(args, io, stop());
  },
};

export async function main(argv = process.argv.slice(2)): Promise<void> {
  watchEnding();
  const [name = '', ...args] = argv;
  const io: Io = {
    out: line => void process.stdout.write(`${printableLines(line)}\n`),
    err: line => void process.stderr.write(`${printableLines(line)}\n`),
    hold(work) {
      held.add(work);
      void work.then(() => held.delete(work));
    },
    env: process.env,
    cwd: process.cwd(),
  };
  // A reader that closes the output early (`| head`) does not end the command.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  if (name === '--version' || name === 'version') {
    const { version } = await import('./commands/version.js');
    return decide(version(args, io));
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) {
    const asked = name === '--help' || name === 'help';
    (asked ? io.out : io.err)(name === '' || asked ? help : `platen has no command "${name}".\n\n${help}`);
    decide(asked ? exitCodes.ok : exitCodes.usage);
    return;
  }
  try {
    decide(await (await command())(args, io, stopSignal));
  } catch (error) {
    // A configuration's errors have one line each; any other error is one line.
    io.err(`platen ${name}: ${error instanceof ConfigError ? error.message : printable(messageOf(error))}`);
    decide(exitCodeOf(error));
  } finally {
    // A plugin's open handles do not keep the process alive.
    setTimeout(() => process.exit(), LINGER_MS).unref();
  }
}

/** What the second signal to stop waits for. */
const held = new Set<Promise<void>>();

/** Resolves at the first signal to stop; the second ends the process at once, or after what is held. */
function stopSignal(): Promise<string> {
  return new Promise(resolve => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      let seen = 0;
      process.on(signal, () => {
        const reload = signal === 'SIGHUP' ? hangUpAction() : undefined;
        if (reload) return reload();
        seen += 1;
        if (seen === 1) return resolve(signal);
        if (seen > 2 || held.size === 0) leave(exitCodes.failure);
        void Promise.all(held).then(() => leave(exitCodes.failure));
      });
    }
    // Windows has no SIGTERM: the programs that keep Platen running there close its standard input instead.
    if (process.env['PLATEN_STOP_WITH_STDIN'] === '1') {
      const { stdin } = process;
      for (const event of ['end', 'error', 'close'] as const) stdin.once(event, () => resolve('standard input closed'));
      stdin.resume();
      // A command that fails ends without waiting for it.
      if ('unref' in stdin) stdin.unref();
    }
  });
}
