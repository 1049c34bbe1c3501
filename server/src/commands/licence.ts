/** `platen licence`: keys, signing and a look at licences, for vendors of premium plugins and their customers. */
import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { ConfigError, systemCode } from '../machine/configError.js';
import { MOST_GRACE } from '../service/licences/licence.js';
import { machineId } from '../service/licences/machineId.js';
import { showLicence } from '../service/licences/show.js';
import { newKeys, signLicence } from '../service/licences/sign.js';
import { exitCodes } from '../machine/exitCodes.js';
import type { Io } from '../machine/io.js';
import { assertVerb, command, type Values as TypedValues } from './command.js';

const help = `platen licence keys [--out vendor.key]
platen licence sign --key FILE --plugin NAME... --customer TEXT --until DATE|--days N [--from DATE] [--seats N]
                    [--grace N] [--machine ID]... [--trial] [--out FILE]
platen licence show TOKEN|FILE [--public-key FILE | --plugin FOLDER]
platen licence machine

keys      makes a pair of keys: the private one in a file that only this account reads, the public one printed as a
          premium plugin takes it. Never overwrites
sign      makes a licence with the private key, and prints it or writes it to a new file
show      prints what a licence holds, and whether it is valid here and now; exit code 1 if not. With the vendor's public
          key or the plugin, the signature is checked too
machine   prints the id of this computer for --machine

  --plugin NAME     sign: the plugin's name; may be repeated. show: the folder of its package
  --until DATE      the last day, as 2027-01-31; all days are in UTC
  --days N          the same, N days from today
  --from DATE       the first day
  --seats N         how many places the customer paid for; shown, not enforced
  --grace N         days after the last one in which the plugin goes on, with a warning
  --machine ID      valid on this computer only; may be repeated
  --trial           shown as a trial, with the days that are left`;

const flags = {
  out: { type: 'string' },
  key: { type: 'string' },
  plugin: { type: 'string', multiple: true },
  customer: { type: 'string' },
  until: { type: 'string' },
  days: { type: 'string' },
  from: { type: 'string' },
  seats: { type: 'string' },
  grace: { type: 'string' },
  machine: { type: 'string', multiple: true },
  trial: { type: 'boolean' },
  'public-key': { type: 'string' },
} as const;

type Values = TypedValues<typeof flags>;

const ownFlags: Readonly<Record<string, readonly (keyof Values)[]>> = {
  keys: ['out'],
  sign: ['out', 'key', 'plugin', 'customer', 'until', 'days', 'from', 'seats', 'grace', 'machine', 'trial'],
  show: ['public-key', 'plugin'],
  machine: [],
};

const DAY_MS = 24 * 60 * 60 * 1000;
const LAST_MS = DAY_MS - 1000;

export const licence = command(
  { help, exits: [], options: flags, allowPositionals: true },
  async ({ values, positionals, io }): Promise<number | 'usage'> => {
    const [verb = '', ...rest] = positionals;
    assertVerb('licence', verb, Object.keys(ownFlags));
    const isKnown = Object.hasOwn(ownFlags, verb) && rest.length === (verb === 'show' ? 1 : 0);
    if (!isKnown) return 'usage';
    for (const flag of Object.keys(values) as (keyof Values)[])
      if (!ownFlags[verb]?.includes(flag))
        throw usage(`--${String(flag)} does not belong to "platen licence ${verb}".`);
    if (verb === 'keys') return keys(values, io);
    if (verb === 'sign') return sign(values, io);
    if (verb === 'machine') return machine(io);
    return show(rest[0]!, values, io);
  },
);

async function keys({ out = 'vendor.key' }: Values, io: Io): Promise<number> {
  const { privateKey, publicKey } = newKeys();
  const file = resolve(io.cwd, out);
  await writeNew(file, privateKey, 'A key that is lost cannot be made again: choose another name with --out');
  io.out(`premium: {\n  publicKey: \`${publicKey.trim()}\`,\n}`);
  io.err(`The private key is in ${file}. Keep it secret and safe: whoever has it can sign licences.`);
  return exitCodes.ok;
}

async function sign(values: Values, io: Io): Promise<number> {
  const { key, plugin: plugins = [], customer = '', until, days, seats, grace, trial = false, out } = values;
  if (key === undefined) throw usage('--key is missing: the file of the private key.');
  if (plugins.length === 0 || plugins.includes('')) throw usage('--plugin is missing: the name of the plugin.');
  if (customer.trim() === '') throw usage('--customer is missing: who the licence is for.');
  if ((until === undefined) === (days === undefined)) throw usage('Pass either --until DATE or --days N.');
  const now = new Date();
  const end =
    until === undefined
      ? lastOf(new Date(now.getTime() + countOf('--days', days!) * DAY_MS))
      : lastOf(dayOf('--until', until));
  const from = values.from === undefined ? undefined : dayOf('--from', values.from);
  if (Number.isNaN(end.getTime()) || end <= now) throw usage('The end of the licence has passed.');
  if (from && from >= end) throw usage('--from is after the end of the licence.');
  const machines = values.machine ?? [];
  for (const id of machines)
    if (!/^[0-9a-f]{32}$/.test(id))
      throw usage(`--machine takes an id that "platen licence machine" prints, not ${JSON.stringify(id)}.`);
  const file = resolve(io.cwd, key);
  const claims = {
    plugins,
    customer,
    until: end,
    from,
    seats: seats === undefined ? undefined : countOf('--seats', seats),
    grace: grace === undefined ? undefined : countOf('--grace', grace, MOST_GRACE),
    machines,
    trial,
  };
  const token = await signLicence(claims, await textIn('--key', file), file, now);
  if (out === undefined) {
    io.out(token);
    return exitCodes.ok;
  }
  await writeNew(resolve(io.cwd, out), `${token}\n`, 'Choose another name with --out');
  io.out(resolve(io.cwd, out));
  return exitCodes.ok;
}

async function show(given: string, values: Values, io: Io): Promise<number> {
  const { plugin: [folder, ...more] = [], 'public-key': keyFile } = values;
  if (more.length > 0 || (folder !== undefined && keyFile !== undefined))
    throw usage('Pass either --public-key FILE or one --plugin FOLDER.');
  const publicKey = keyFile === undefined ? undefined : await textIn('--public-key', resolve(io.cwd, keyFile));
  const { lines, isValid } = await showLicence(given, {
    cwd: io.cwd,
    publicKey,
    plugin: folder === undefined ? undefined : resolve(io.cwd, folder),
  });
  for (const line of lines) io.out(line);
  return isValid ? exitCodes.ok : exitCodes.failure;
}

async function machine(io: Io): Promise<number> {
  const id = await machineId();
  if (id === undefined) {
    io.err('This computer has no id that can be read, so no licence can be bound to it.');
    return exitCodes.failure;
  }
  io.out(id);
  return exitCodes.ok;
}

const usage = (sentence: string): ConfigError => new ConfigError(sentence, { code: 'usage' });

function countOf(flag: string, text: string, most = 999_999): number {
  const count = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (count < 1 || count > most)
    throw usage(`${flag} takes a whole number from 1 to ${most}, not ${JSON.stringify(text)}.`);
  return count;
}

/** The day's last second, in UTC: the last day counts. */
function lastOf(date: Date): Date {
  return new Date(Math.floor(date.getTime() / DAY_MS) * DAY_MS + LAST_MS);
}

/** The day's beginning, in UTC. */
function dayOf(flag: string, text: string): Date {
  const day = new Date(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : NaN);
  if (Number.isNaN(day.getTime()) || day.toISOString().slice(0, 10) !== text)
    throw usage(`${flag} takes a day such as 2027-01-31, not ${JSON.stringify(text)}.`);
  return day;
}

async function textIn(flag: string, file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: unknown) => {
    throw usage(`${flag}: the file ${file} cannot be read (${systemCode(error) ?? String(error)}).`);
  });
}

/** Only this account reads it. */
async function writeNew(file: string, text: string, remedy: string): Promise<void> {
  await writeFile(file, text, { flag: 'wx', mode: 0o600 }).catch((error: unknown) => {
    if (systemCode(error) === 'EEXIST') throw usage(`${file} exists already. ${remedy}.`);
    throw usage(`${file} cannot be written (${systemCode(error) ?? String(error)}).`);
  });
}
