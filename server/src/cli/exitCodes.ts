/** What the exit codes of `platen` mean. */

export const exitCodes = {
  ok: 0,
  failure: 1,
  usage: 2,
  configuration: 3,
  certificate: 4,
  portInUse: 5,
  dataFolderInUse: 6,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** For the foot of a `--help`. */
export const exitCodesHelp = `Exit codes:
  0  ok
  1  failure
  2  wrong usage
  3  the configuration or the data folder is refused
  4  the certificate is missing or not valid
  5  the port is in use
  6  the data folder is in use by another service`;

const byErrorCode: Readonly<Record<string, ExitCode>> = {
  usage: exitCodes.usage,
  configuration: exitCodes.configuration,
  certificate: exitCodes.certificate,
  EADDRINUSE: exitCodes.portInUse,
  'data-folder-in-use': exitCodes.dataFolderInUse,
};

/** The exit code for anything thrown; `code` is read structurally. */
export function exitCodeOf(error: unknown): ExitCode {
  const code = (error as { code?: unknown } | null | undefined)?.code;
  if (typeof code !== 'string') return exitCodes.failure;
  if (code.startsWith('ERR_PARSE_ARGS_')) return exitCodes.usage;
  return byErrorCode[code] ?? exitCodes.failure;
}
