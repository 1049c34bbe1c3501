/** Lists and sets the vendor's features of the selected unit. */
import { takesValue, type DriverOptionValues } from '@platen/core/driver';
import { ScanError, type DriverOption, type SourceCapabilities } from '@platen/core/plugin';
import { statusOf, type Frame } from '@platen/driver-kit';
import { isAt, placeOf, readFeatures, reservedIn, type Feature } from './features.js';
import type { Handle } from './device/handle.js';

/** Those that requests may set, and those that parameters set. */
export async function driverOptionsOf(
  handle: Handle,
): Promise<Pick<SourceCapabilities, 'driverOptions' | 'reservedOptions'>> {
  const headers = (await readable(handle.features())) ?? [];
  const driverOptions = readFeatures(headers).map(each => each.option);
  const reservedOptions = reservedIn(headers);
  return {
    ...(driverOptions.length > 0 && { driverOptions }),
    ...(reservedOptions.length > 0 && { reservedOptions }),
  };
}

/** Undefined if the vendor's module threw. */
async function readable(
  features: Promise<readonly Frame['header'][]>,
): Promise<readonly Frame['header'][] | undefined> {
  try {
    return await features;
  } catch (error) {
    if (statusOf(error) === 'EXCEPTION') return undefined;
    throw error;
  }
}

/**
 * Sets the options of an order, and the defaults of the others where an earlier scan, or a person, set other values.
 * @throws ScanError `unsupported` with the option's name if the scanner keeps another value, or does not have the option
 *   with the other settings
 */
export async function takeDriverOptions(
  handle: Handle,
  listed: readonly DriverOption[],
  asked: DriverOptionValues,
): Promise<void> {
  let features: readonly Feature[] = readFeatures((await readable(handle.features())) ?? []);
  const found = (name: string) => features.find(each => each.option.name === name);
  for (const { name, default: preset } of listed) {
    const wanted = asked[name] ?? preset;
    const feature = found(name);
    if (!feature || !takesValue(feature.option, wanted) || isAt(feature, wanted)) continue;
    const place = placeOf(feature.option, wanted);
    const now = await readable(handle.setFeature(feature.index, place));
    if (now) features = readFeatures(now);
  }
  for (const [name, value] of Object.entries(asked)) {
    const feature = found(name);
    const preset = listed.find(each => each.name === name)?.default;
    if (feature ? isAt(feature, value) : value === preset) continue;
    throw new ScanError(
      'unsupported',
      feature
        ? `The scanner does not accept ${value} for its option ${name}.`
        : `The scanner's option ${name} is not available with the other settings.`,
    );
  }
}
