/** The command line: finds the command and gives it what it may touch of the process. */
import { messageOf } from '@platen/core';
import { exitCodeOf, exitCodes, exitCodesHelp } from './cli/exitCodes.js';
import type { Io } from './cli/io.js';
import { ConfigError } from './config/error.js';
import { printable, printableLines } from './printable.js';

const help = `platen COMMAND

  serve              run the service
  cert               make, show or remove its certificate
  doctor             look at everything that a scan needs, and say what to do about what is wrong
  plugins            say what became of each plugin
  host               run the desktop application, which has the scanners where the service cannot
  scan               scan into files, without a running service

platen COMMAND --help says more.

${exitCodesHelp}`;

/** How long what is left after a command may keep the process. */
const LINGER_MS = 2000;

/** Each is loaded when it is asked for: the service starts in half the time without the others. */
const commands: Readonly<
  Record<string, () => Promise<(args: string[], io: Io, stop: () => Promise<string>) => Promise<number>>>
> = {
  async cert() {
    const { cert } = await import('./cli/cert.js');
    return (args, io) => cert(args, io);
  },
  async doctor() {
    const { doctor } = await import('./cli/doctor.js');
    return (args, io) => doctor(args, io);
  },
  async host() {
    const { host } = await import('./cli/host.js');
    return (args, io, stop) => host(args, io, stop());
  },
  plugins: async () => (await import('./cli/plugins.js')).plugins,
  async scan() {
    const { scan } = await import('./cli/scan.js');
    return (args, io, stop) => scan(args, io, stop());
  },
  async serve() {
    const { serve } = await import('./cli/serve.js');
    return (args, io, stop) => serve(args, io, stop());
  },
};

export async function main(argv = process.argv.slice(2)): Promise<void> {
  const [name = '', ...args] = argv;
  const io: Io = {
    out: line => void process.stdout.write(`${printableLines(line)}\n`),
    err: line => void process.stderr.write(`${printableLines(line)}\n`),
    env: process.env,
    cwd: process.cwd(),
  };
  // A reader of the output that leaves early (`| head`) does not end what is under way.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) {
    const asked = name === '--help' || name === 'help';
    (asked ? io.out : io.err)(name === '' || asked ? help : `platen has no command "${name}".\n\n${help}`);
    process.exitCode = asked ? exitCodes.ok : exitCodes.usage;
    return;
  }
  try {
    process.exitCode = await (await command())(args, io, stopSignal);
  } catch (error) {
    // A configuration may be wrong in several places, a line each; what others throw is one line.
    io.err(`platen ${name}: ${error instanceof ConfigError ? error.message : printable(messageOf(error))}`);
    process.exitCode = exitCodeOf(error);
  } finally {
    // What a plugin left open does not keep the program from ending.
    setTimeout(() => process.exit(), LINGER_MS).unref();
  }
}

/** Resolves at the first signal to stop; the second one ends the process at once. */
function stopSignal(): Promise<string> {
  return new Promise(resolve => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      let seen = false;
      process.on(signal, () => {
        if (seen) process.exit(exitCodes.failure);
        seen = true;
        resolve(signal);
      });
    }
  });
}
