/** The parameters of the TWAIN Direct style scan as options: the same names, but for the output format. */
import { InvalidValue, type Format, type ScanOptions } from '@platen/core';
import { optionsFrom } from './optionsFromSimple.js';
import { outputFormats, type DirectParameters } from './schemas.js';

/**
 * @param parameters already checked against their schema and in the interface's spelling
 * @throws `InvalidValue` for a format that is not loaded
 */
export function optionsFromDirect(parameters: DirectParameters, formats: readonly Format[]): ScanOptions {
  const { outputFormat = 'png', ...rest } = parameters;
  const name = outputFormats[outputFormat];
  if (!formats.some(format => format.name === name)) {
    const names = formats.map(format => format.aliases[0] ?? format.name);
    throw new InvalidValue('outputFormat', `one of ${names.join(', ')}: ${outputFormat} is not installed`, names);
  }
  return optionsFrom(rest, name);
}
