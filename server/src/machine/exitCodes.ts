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

/** The last part of a `--help`. */
export const exitCodesHelp = `Exit codes:
  0  ok
  1  failure
  2  wrong usage
  3  the configuration or the data folder is rejected
  4  the certificate is missing or invalid
  5  the port is in use
  6  the data folder is in use by another service or scan

"platen host" only:
  9  with --no-wait: another desktop application serves the channel

"platen scan" only, and 7 also "platen trace":
  7  there is no such scanner, or the scan failed; the pages scanned before are kept
  8  the feeder is empty
130  stopped with Ctrl-C; the pages so far, and those of the current sheet, are kept`;

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
