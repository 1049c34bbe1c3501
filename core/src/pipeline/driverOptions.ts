/** Options of the driver in a request: listed by the source, of the right type, and beside no parameter that sets the same. */
import { optionAccepts, takesValue } from '../checks/optionFields.js';
import type { SourceCapabilities } from '../contract/driver.js';
import { InvalidValue } from '../contract/errors.js';
import type { ScanOptions } from './scanOptions.js';

/** @throws `InvalidValue` that names the option, and what is accepted */
export function checkAskedOptions(from: SourceCapabilities, { controls, given = [] }: ScanOptions): void {
  const { driverOptions: listed = [], reservedOptions = [] } = from;
  for (const [name, value] of Object.entries(controls?.driverOptions ?? {})) {
    const field = `driverOptions.${name}`;
    const option = listed.find(each => each.name === name);
    const reserved = reservedOptions.find(each => each.name === name);
    if (reserved)
      throw new InvalidValue(field, `nothing: use the parameter ${reserved.controls.join(' or ')}, which sets it`);
    if (!option) {
      const has = listed.length === 0 ? 'has no options' : `has ${listed.map(each => each.name).join(', ')}`;
      throw new InvalidValue(field, `nothing: this source of the scanner ${has}`);
    }
    if (!takesValue(option, value)) throw new InvalidValue(field, optionAccepts(option), option.values);
    const same = option.controls?.find(each => given.includes(each));
    if (same) throw new InvalidValue(field, `nothing beside ${same}, which sets the same: leave one of them out`);
  }
}
