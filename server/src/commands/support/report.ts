/** The file for support: what describes an installation, and nothing of what was scanned. */
import { readdir, readFile, stat } from 'node:fs/promises';
import { arch, availableParallelism, release, totalmem, version as systemVersion } from 'node:os';
import { join } from 'node:path';
import { messageOf, pluginApi, type PluginReport } from '@platen/core';
import { configFiles } from '../../machine/config/read.js';
import type { Settings } from '../../machine/config/settings.js';
import { platenJson } from '../../machine/config/shipped.js';
import { platform } from '../../machine/platform.js';
import { examine } from '../doctor/examine.js';
import type { Facts } from '../doctor/facts.js';
import type { Finding } from '../doctor/finding.js';
import { parseJson } from '../../machine/json.js';
import { printableLines } from '../../machine/printable.js';
import { packageVersion } from '../../machine/version.js';
import { lastLines } from './lastLines.js';
import { redacted, withoutWords, type Word } from './redacted.js';
import { secretsIn } from './secrets.js';
import { scrub, withoutHomes, wordsHere } from './scrub.js';

const head = `Platen support file

Look through it before you send it. It has versions, the configuration without texts that may be secrets or names and
without options of plugins, the findings of "platen doctor", the plugins, and the last lines of the log. It has nothing
of what was scanned. Names of scanners and origins of web pages are in it. (removed) marks what was left out, ~ a home
folder.`;

/**
 * @param facts gets what the doctor learns
 * @param trace the lines of a trace of "platen trace"; empty: none
 */
export async function supportText(facts: Facts, now: Date, trace: readonly string[]): Promise<string> {
  const { settings, env } = facts;
  const findings: Finding[] = [];
  for await (const finding of examine(facts)) findings.push(finding);
  const reports = facts.plugins?.reports ?? [];
  const configuration = await readConfiguration(settings);
  const { home } = wordsHere(env, []);
  // Homes first: an option may be an account's name, without which its home is not recognized.
  const words = configuration.words.map(word => ({ ...word, text: withoutHomes(word.text, home) }));
  const said = (lines: readonly string[]): string[] =>
    withoutWords(
      lines.map(line => withoutHomes(line, home)),
      words,
    );
  const text = [
    head,
    section('Versions', [
      `Platen ${packageVersion()}, Node ${process.versions.node}, plugin api ${pluginApi}`,
      `${platform} ${arch()}, ${release()}, ${systemVersion()}`,
      `${availableParallelism()} processors, ${Math.round(totalmem() / 2 ** 20)} MiB of memory`,
      `Written ${now.toISOString()}`,
    ]),
    section('Places', [
      `configuration  ${settings.configFile}`,
      `data folder    ${settings.dataDir}`,
      `plugins        ${settings.pluginsDir ?? 'of the clone'}`,
      ...variables(env),
    ]),
    section('Configuration', configuration.lines),
    section('Doctor', said(findings.flatMap(linesOf))),
    section('Plugins', reports.length === 0 ? ['None was loaded: see the doctor.'] : said(reports.map(pluginLine))),
    section('Data folder', await sizes(settings.dataDir)),
    section('Last lines of the log', said(await lastLines(settings.dataDir))),
    section('Device trace', trace.length === 0 ? [noTrace] : trace),
  ].join('\n\n');
  const secrets = [...(await secretsIn(settings.dataDir)), ...configuration.secrets, ...customers(reports)];
  return `${printableLines(scrub(text, wordsHere(env, secrets)))}\n`;
}

const noTrace = 'None. If a scanner misbehaves: platen trace --out scanner.jsonl, then --trace scanner.jsonl here.';

const section = (title: string, lines: readonly string[]): string =>
  [title, '-'.repeat(title.length), ...lines].join('\n');

const variables = (env: NodeJS.ProcessEnv): string[] =>
  ['PLATEN_CONFIG', 'PLATEN_DATA_DIR', 'PLATEN_PLUGINS_DIR', 'PLATEN_PORT'].flatMap(name =>
    env[name] ? [`${name}=${env[name]}`] : [],
  );

interface Configuration {
  readonly lines: readonly string[];
  readonly words: readonly Word[];
  readonly secrets: readonly string[];
}

/** Every file of it but the installation's own, which the version tells. */
async function readConfiguration({ configFile, dataDir }: Settings): Promise<Configuration> {
  const files = (await configFiles(configFile, dataDir)).filter(file => file !== platenJson);
  const parts = await Promise.all((files.length === 0 ? [configFile] : files).map(configurationFile));
  return {
    lines: parts.flatMap(({ lines }, at) => (parts.length > 1 ? [`${files[at]}:`, ...lines] : lines)),
    words: parts.flatMap(({ words }) => words),
    secrets: parts.flatMap(({ secrets }) => secrets),
  };
}

async function configurationFile(file: string): Promise<Configuration> {
  try {
    const value = parseJson(await readFile(file, 'utf8'));
    const { value: seen, words } = redacted(value);
    return { lines: JSON.stringify(seen, undefined, 2).split('\n'), words, secrets: licencesIn(value) };
  } catch (error) {
    return { lines: [`It cannot be read: ${messageOf(error)}`], words: [], secrets: [] };
  }
}

function licencesIn(value: unknown): string[] {
  const { plugins } = (value ?? {}) as { plugins?: unknown };
  if (!Array.isArray(plugins)) return [];
  return plugins.flatMap((entry: { licence?: unknown } | null) =>
    typeof entry?.licence === 'string' ? [entry.licence] : [],
  );
}

const customers = (reports: readonly PluginReport[]): string[] =>
  reports.flatMap(({ entitlement }) => (entitlement ? [entitlement.customer] : []));

function linesOf({ title, state, sentence, remedy }: Finding): string[] {
  return [`${state.padEnd(8)} ${title}: ${sentence}`, ...(remedy?.split('\n') ?? []).map(each => `         → ${each}`)];
}

function pluginLine({ use, version, state, sentence, provides }: PluginReport): string {
  const what = sentence ?? provides.map(({ kind, id }) => `${kind} ${id}`).join(', ');
  return `${state.padEnd(10)} ${use}${version === undefined ? '' : ` ${version}`}  ${what}`;
}

/** Folders that Platen makes there. Other names may be people's. */
const folders = ['scans', 'spool', 'trays', 'origins', 'certificate', 'logs', 'ocr', 'escl'];

async function sizes(dataDir: string): Promise<string[]> {
  const lines: string[] = [];
  for (const name of folders) {
    const files = await readdir(join(dataDir, name), { recursive: true }).catch(() => undefined);
    if (!files) continue;
    const found = await Promise.all(files.map(file => stat(join(dataDir, name, file)).catch(() => undefined)));
    const own = found.filter(each => each?.isFile());
    lines.push(`${name}: ${own.length} files, ${own.reduce((sum, each) => sum + (each?.size ?? 0), 0)} bytes`);
  }
  return lines.length === 0 ? ['It is empty, or this account cannot read it.'] : lines;
}
