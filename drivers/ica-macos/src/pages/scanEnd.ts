/** How a scan ended: ImageCaptureCore has one code for an empty feeder, a jam, and an unsupported colour mode. */
import { ScanError, type Source } from '@platen/core/plugin';
import { statusOf } from '@platen/driver-kit';
import { asScanError } from '../statuses.js';

export interface ScanEnd {
  readonly name: string;
  readonly source: Source;
  /** ImageCaptureCore's error; undefined: none. */
  readonly error: unknown;
  /** Whether it was asked to end after a sheet. */
  readonly isStopped: boolean;
  /** The number of complete pages. */
  readonly came: number;
  /** Whether an incomplete page had begun. */
  readonly isTorn: boolean;
  readonly isBilevel: boolean;
  /** Paper in the feeder when the scan began, and now; false also without a sensor. */
  readonly wasLoaded: boolean;
  readonly isLoaded: boolean;
}

/** ICReturnReceivedUnsolicitedScannerErrorInfo */
const SCANNER_SAYS = '-9933';
/** ICReturnScanOperationCanceled */
const CANCELLED = '-9924';

/** The scan's failure; undefined: a normal end. */
export function failureOf({
  name,
  source,
  error,
  isStopped,
  came,
  isTorn,
  isBilevel,
  wasLoaded,
  isLoaded,
}: ScanEnd): ScanError | undefined {
  const isFeeder = source === 'feeder';
  const noPaper = () => new ScanError('no-paper', `"${name}" has no paper in its feeder.`, { cause: error });
  if (error === undefined) {
    if (came > 0) return undefined;
    return isFeeder && !wasLoaded ? noPaper() : silence(name);
  }
  if (isStopped && statusOf(error) === CANCELLED) return undefined;
  if (statusOf(error) !== SCANNER_SAYS) return asScanError(error, name);
  if (isFeeder && (isTorn || (came > 0 && isLoaded))) return jam(name, error);
  if (isFeeder && came > 0) return undefined;
  if (isBilevel && (!isFeeder || wasLoaded)) return colourless(name, error);
  if (!isFeeder) return asScanError(error, name);
  return isLoaded ? jam(name, error) : noPaper();
}

function jam(name: string, error: unknown): ScanError {
  return new ScanError(
    'paper-jam',
    `"${name}" has a paper jam, or its feeder did not take the sheet (macOS: ${(error as Error).message}).`,
    { cause: error },
  );
}

function colourless(name: string, error: unknown): ScanError {
  return new ScanError(
    'unsupported',
    `"${name}" does not scan in black and white. Scan in Grayscale (macOS: ${(error as Error).message}).`,
    { cause: error },
  );
}

/** A second scan would take more paper, so only the configuration can choose the other transfer mode. */
function silence(name: string): ScanError {
  return new ScanError(
    'driver-failed',
    `"${name}" completed the scan without sending a page. Try "transfer": "file" in the options of @platen/driver-ica-macos.`,
  );
}
