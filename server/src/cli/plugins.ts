/** `platen plugins list`: the state of every plugin in the configuration. */
import { parseArgs } from 'node:util';
import type { Contribution, PluginReport } from '@platen/core';
import { resolveSettings } from '../config/settings.js';
import { printable } from '../printable.js';
import { exitCodes, exitCodesHelp } from './exitCodes.js';
import type { Io } from './io.js';
import { loadConfigured } from './loadConfigured.js';

const help = `platen plugins list [--config FILE] [--json]

Loads the configuration's plugins as the service does, and prints the state of each.
The exit code is 1 if a plugin is refused, or is premium and has no valid licence.

${exitCodesHelp}`;

export async function plugins(args: string[], io: Io): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { config: { type: 'string' }, json: { type: 'boolean' }, help: { type: 'boolean' } },
  });
  if (values.help || positionals.join(' ') !== 'list') {
    (values.help ? io.out : io.err)(help);
    return values.help ? exitCodes.ok : exitCodes.usage;
  }
  const settings = resolveSettings({ flags: values, env: io.env, cwd: io.cwd });
  const { registry, reports } = await loadConfigured(settings, io);
  await registry.close();
  if (values.json)
    io.out(
      JSON.stringify(
        reports.map(report => ({ ...report, provides: named(report.provides) })),
        null,
        2,
      ),
    );
  else for (const report of reports) io.out(line(report));
  return reports.some(({ state }) => state === 'refused' || state === 'unlicensed') ? exitCodes.failure : exitCodes.ok;
}

/** For people: `driver virtual`. */
function named(provides: readonly Contribution[]): string[] {
  return provides.map(({ kind, id }) => `${kind} ${id}`);
}

function line({ use, version, state, sentence, provides, lacks, entitlement }: PluginReport): string {
  const name = version === undefined ? use : `${use} ${version}`;
  const licensed = entitlement
    ? `, licensed to ${entitlement.customer} until ${entitlement.expires.toISOString().slice(0, 10)}`
    : '';
  return printable(
    `${state.padEnd(10)}  ${name}  ${sentence ?? named(provides).join(', ')}${licensed}${lacks === undefined ? '' : `. ${lacks}`}`,
  );
}
