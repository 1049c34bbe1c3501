/** `platen --version`: the versions that a report of a fault needs, on one line. */
import { arch } from 'node:os';
import { pluginApi } from '@platen/core';
import { platform } from '../machine/platform.js';
import { packageVersion } from '../machine/version.js';
import { exitCodes } from '../machine/exitCodes.js';
import type { Io } from '../machine/io.js';

export function version(args: readonly string[], io: Io): number {
  if (args.some(arg => arg !== '--json')) {
    io.err('platen --version [--json]');
    return exitCodes.usage;
  }
  const facts = { platen: packageVersion(), node: process.versions.node, pluginApi, platform, arch: arch() };
  io.out(
    args.length > 0
      ? JSON.stringify(facts, null, 2)
      : `Platen ${facts.platen}, Node ${facts.node}, plugin api ${pluginApi}, ${platform} ${facts.arch}`,
  );
  return exitCodes.ok;
}
