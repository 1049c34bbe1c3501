/** The values of `--recognise`, `--process` and `--reader`: they name recognisers and processors of plugins. */
import { ConfigError } from '../../machine/configError.js';

/** `despeckle:radius=1,mode=fast` as `{ despeckle: { radius: 1, mode: 'fast' } }`; an option without a value is true. */
export const askedOf =
  (flag: string) =>
  (text: string): Record<string, object> => {
    const [, name, options = ''] = /^([^:=,]+)(?::(.+))?$/.exec(text) ?? [];
    if (name === undefined) throw refused(flag, 'a name, or a name and its options: despeckle:radius=1,mode=fast');
    return { [name]: Object.fromEntries(options.split(',').filter(Boolean).map(optionOf)) };
  };

/** `barcode=@acme/barcode` as `{ barcode: '@acme/barcode' }`. */
export function readerAsked(text: string): Record<string, string> {
  const [, kind, name] = /^([^=]+)=(.+)$/.exec(text) ?? [];
  if (kind === undefined || name === undefined) throw refused('--reader', 'a kind and a name: barcode=@acme/barcode');
  return { [kind]: name };
}

/** Numbers, true, false and null are themselves, anything else is text. */
function optionOf(text: string): [string, unknown] {
  const at = text.indexOf('=');
  if (at < 0) return [text.trim(), true];
  const value = text.slice(at + 1).trim();
  const isPlain = /^(?:-?(?:0|[1-9]\d*)(?:\.\d+)?|true|false|null)$/.test(value);
  return [text.slice(0, at).trim(), isPlain ? (JSON.parse(value) as unknown) : value];
}

function refused(flag: string, takes: string): ConfigError {
  return new ConfigError(`${flag} takes ${takes}.`, { code: 'usage' });
}
