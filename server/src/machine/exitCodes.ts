/** What the exit codes of `platen` mean. */
import { driverCodes } from '@platen/core';

export const exitCodes = {
  ok: 0,
  failure: 1,
  usage: 2,
  configuration: 3,
  certificate: 4,
  portInUse: 5,
  dataFolderInUse: 6,
  scanFailed: 7,
  noPaper: 8,
  channelInUse: 9,
  stopped: 130,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

export type ExitName = keyof typeof exitCodes;

const meanings: Readonly<Record<ExitName, string>> = {
  ok: 'ok',
  failure: 'failure',
  usage: 'wrong usage',
  configuration: 'the configuration or the data folder is rejected',
  certificate: 'the certificate is missing or invalid',
  portInUse: 'the port is in use',
  dataFolderInUse: 'the data folder is in use by another service or scan',
  scanFailed: 'there is no such scanner, or the scan failed; the pages scanned before are kept',
  noPaper: 'the feeder is empty',
  channelInUse: 'with --no-wait: another desktop application serves the channel',
  stopped: 'stopped with Ctrl-C; the pages so far, and those of the current sheet, are kept',
};

/** The last part of a `--help`. @param names beside those that every command has */
export function exitCodesHelp(names: readonly ExitName[]): string {
  const all = new Set<ExitName>(['ok', 'failure', 'usage', ...names]);
  return ['Exit codes:', ...[...all].map(name => `${String(exitCodes[name]).padStart(3)}  ${meanings[name]}`)].join(
    '\n',
  );
}

/** If a code has two rows, the later one counts. */
const byErrorCode: ReadonlyMap<string, ExitCode> = new Map<string, ExitCode>([
  ['usage', exitCodes.usage],
  ['configuration', exitCodes.configuration],
  ['certificate', exitCodes.certificate],
  ['EADDRINUSE', exitCodes.portInUse],
  ['data-folder-in-use', exitCodes.dataFolderInUse],
  ['channel-in-use', exitCodes.channelInUse],
  ...driverCodes.map(code => [code, exitCodes.scanFailed] as const),
  ['service-ended', exitCodes.scanFailed],
  ['no-paper', exitCodes.noPaper],
  ['cancelled', exitCodes.stopped],
]);

/** The exit code for anything thrown; `code` is read structurally. */
export function exitCodeOf(error: unknown): ExitCode {
  const code = (error as { code?: unknown } | null | undefined)?.code;
  if (typeof code !== 'string') return exitCodes.failure;
  if (code.startsWith('ERR_PARSE_ARGS_')) return exitCodes.usage;
  return byErrorCode.get(code) ?? exitCodes.failure;
}
