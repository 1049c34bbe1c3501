/**
 * `platen doctor`: checks everything that a scan needs, whether or not the service runs, and says how to fix what
 * failed.
 */
import { ConfigError } from '../machine/configError.js';
import { platform } from '../machine/platform.js';
import { resolveSettings } from '../machine/config/settings.js';
import { examine } from './doctor/examine.js';
import type { Finding, State } from './doctor/finding.js';
import { printable } from '../machine/printable.js';
import type { PolicySurroundings } from '../machine/policies/source.js';
import { trustStores } from '../machine/tls/trust/stores.js';
import { systemTools } from '../machine/tls/trust/tool.js';
import { becomeOwner } from './parts/asOwner.js';
import { exitCodes } from '../machine/exitCodes.js';
import { command } from './command.js';

const help = `platen doctor [--config FILE] [--port N] [--scan [--scanner NAME]] [--json]

Checks everything that a scan needs, in dependency order, whether or not the service runs: the configuration, the data
folder, which web pages may scan, the certificate and its trust stores, the browsers' policies, the plugins and what
their drivers lack, the service's process, its port,
GET /, GET /health, its scanners, a test scan, and the plugins' health. One line per check: ✓ passed, ! passed with a
warning, ✗ failed (with the fix), – skipped. Fix the first ✗ first. The doctor changes nothing.

  --config FILE    the service's configuration (PLATEN_CONFIG)
  --port N         the service's port, if it differs from the configuration (PLATEN_PORT)
  --scan           scan what is in the feeder or on the flatbed
  --scanner NAME   the scanner to use; required if there are several
  --json           {ok, findings: [{id, title, state: ok, warning, failed or skipped, sentence, remedy?}]}; the finding
                   plugins has {plugins: [{use, version?, state, sentence?}]}, the finding licences has
                   {licences: [{plugin, customer, until, daysLeft, trial}]}, the finding pluginHealth
                   has {health: [{plugin, state, sentence?, facts, ageSeconds}]}

Run it as the account that runs the service, or with sudo. The exit code is 0 if every check passed, 1 if one failed.`;

const marks: Readonly<Record<State, string>> = { ok: '✓', warning: '!', failed: '✗', skipped: '–' };
const TITLE_WIDTH = 17;

/** What of the computer a test replaces. */
export interface Computer {
  readonly stores?: typeof trustStores;
  readonly browsers?: PolicySurroundings;
  readonly searchMs?: number;
}

export const doctor = command(
  {
    help,
    exits: ['configuration'],
    options: {
      config: { type: 'string' },
      port: { type: 'string' },
      scan: { type: 'boolean' },
      scanner: { type: 'string' },
      json: { type: 'boolean' },
    },
  },
  async ({ values, io }, computer: Computer = {}): Promise<number | 'usage'> => {
    // Paper moves only if the person asked for it.
    if (values.scanner !== undefined && !values.scan)
      throw new ConfigError('--scanner belongs to --scan: platen doctor --scan --scanner NAME.', { code: 'usage' });
    const settings = resolveSettings({ flags: values, env: io.env, cwd: io.cwd });
    becomeOwner(settings.dataDir, io.env);
    const findings: Finding[] = [];
    for await (const finding of examine({
      settings,
      env: io.env,
      stores: computer.stores ?? trustStores,
      browsers: computer.browsers ?? { platform, root: '', env: io.env, run: systemTools(io.env).run },
      searchMs: computer.searchMs,
      ...(values.scan ? { scan: { scanner: values.scanner } } : {}),
    })) {
      findings.push(finding);
      if (!values.json) for (const line of linesOf(finding)) io.out(line);
    }
    const wrong = findings.filter(({ state }) => state === 'failed').length;
    if (values.json) io.out(JSON.stringify({ ok: wrong === 0, findings }, null, 2));
    else
      io.out(
        wrong === 0
          ? '\nNo check failed.'
          : `\n${wrong} ${wrong === 1 ? 'check' : 'checks'} failed. Fix the first ✗ first.`,
      );
    return wrong === 0 ? exitCodes.ok : exitCodes.failure;
  },
);

function linesOf({ title, state, sentence, remedy }: Finding): string[] {
  const indent = ' '.repeat(TITLE_WIDTH + 2);
  const remedies = remedy === undefined ? [] : remedy.split('\n').map(each => `${indent}→ ${each}`);
  return [`${marks[state]} ${title.padEnd(TITLE_WIDTH)}${printable(sentence)}`, ...remedies];
}
