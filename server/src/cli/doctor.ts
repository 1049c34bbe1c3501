/** `platen doctor`: looks at everything that a scan needs, beside a running service, and says what to do about what is wrong. */
import { parseArgs } from 'node:util';
import { ConfigError } from '../config/error.js';
import { resolveSettings } from '../config/settings.js';
import { examine } from '../doctor/examine.js';
import type { Finding, State } from '../doctor/finding.js';
import { printable } from '../printable.js';
import { trustStores } from '../tls/trust/stores.js';
import { exitCodes, exitCodesHelp } from './exitCodes.js';
import type { Io } from './io.js';

const help = `platen doctor [--config FILE] [--port N] [--scan [--scanner NAME]] [--json]

Looks at everything that a scan needs, in the order in which one needs the other, while the service runs or not: the configuration,
the data folder, the certificate and who trusts it, the plugins and what their drivers lack, the service's process, its port,
GET /, GET /health, its scanners, and one test scan. ✓ is right, ✗ is wrong, with what to do about it; – was not reached, or not
asked for. The first ✗ is the one to mend first. Nothing is changed.

  --config FILE    the service's configuration (PLATEN_CONFIG)
  --port N         where the service listens, if not where its configuration says (PLATEN_PORT)
  --scan           scan what lies in the feeder, or on the glass
  --scanner NAME   with this scanner; needed where there are several
  --json           {ok, findings: [{id, title, state: ok, failed or skipped, sentence, remedy?}]}

Run it as the account that runs the service. The exit code is 0 where nothing is wrong, and 1 where something is.

${exitCodesHelp}`;

const marks: Readonly<Record<State, string>> = { ok: '✓', failed: '✗', skipped: '–' };
const TITLE_WIDTH = 17;

/** @param stores this computer's, unless a test has others */
export async function doctor(args: string[], io: Io, stores: typeof trustStores = trustStores): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      config: { type: 'string' },
      port: { type: 'string' },
      scan: { type: 'boolean' },
      scanner: { type: 'string' },
      json: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) {
    io.out(help);
    return exitCodes.ok;
  }
  // Paper moves only where a person said so.
  if (values.scanner !== undefined && !values.scan)
    throw new ConfigError('--scanner belongs to --scan: platen doctor --scan --scanner NAME.', { code: 'usage' });
  const settings = resolveSettings({ flags: values, env: io.env, cwd: io.cwd });
  const findings: Finding[] = [];
  for await (const finding of examine({
    settings,
    env: io.env,
    stores,
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
        ? '\nNothing is wrong.'
        : `\n${wrong === 1 ? 'One thing is' : `${wrong} things are`} wrong: mend the first one first.`,
    );
  return wrong === 0 ? exitCodes.ok : exitCodes.failure;
}

function linesOf({ title, state, sentence, remedy }: Finding): string[] {
  const indent = ' '.repeat(TITLE_WIDTH + 2);
  const remedies = remedy === undefined ? [] : remedy.split('\n').map(each => `${indent}→ ${each}`);
  return [`${marks[state]} ${title.padEnd(TITLE_WIDTH)}${printable(sentence)}`, ...remedies];
}
