/** A helper whose requests and answers are traced: lengths in place of pixels, aliases in place of texts. */
import { isTraced, traceDevice, type Alias } from '@platen/core/driver';
import { codeOf } from '@platen/core/plugin';
import type { Frame } from '../frames/frames.js';
import { statusOf } from './helperError.js';
import type { Helper, HelperOptions } from './helperTypes.js';

/** Numbers the helpers of this process. */
let helpers = 0;

export function tracedHelper(helper: Helper, { name, trace = {} }: Pick<HelperOptions, 'name' | 'trace'>): Helper {
  const { json = [], words = {} } = trace;
  const number = ++helpers;
  /** Texts that came as words of the protocol: a request may name them. */
  const known = new Set<string>();
  /** By JSON: the call that answered it first, because lists come again and again. */
  const answered = new Map<string, number>();
  let calls = 0;

  /** A value with aliases in place of texts that are not words of the protocol. */
  function told(value: unknown, keys: readonly string[], alias: Alias, key = ''): unknown {
    if (typeof value === 'string') {
      if (keys.includes(key)) known.add(value);
      return known.has(value) ? value : alias(value);
    }
    if (Array.isArray(value)) return value.map(each => told(each, keys, alias, key));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([own, each]) => [own, told(each, keys, alias, own)]));
  }

  return {
    async call(verb, args, call) {
      if (!isTraced()) return helper.call(verb, args, call);
      const id = ++calls;
      const keys = words[verb] ?? [];
      const isJson = json.includes(verb);
      const pieces: Uint8Array[] = [];
      const to = (write: (alias: Alias) => object) =>
        traceDevice(alias => ({ part: name, to: { helper: number, call: id, ...write(alias) } }));
      const from = (write: (alias: Alias) => object) =>
        traceDevice(alias => ({ part: name, from: { helper: number, call: id, ...write(alias) } }));

      function keep({ header, data }: Frame, isLast: boolean): void {
        if (isJson && data.length > 0) pieces.push(Uint8Array.from(data));
        if (isJson && !isLast) return;
        const { id: _id, more: _more, ok: _ok, ...fields } = header;
        const text = Buffer.concat(pieces).toString();
        const same = answered.get(text);
        const value = same === undefined && text !== '' ? jsonOf(text) : undefined;
        if (value !== undefined) answered.set(text, id);
        from(alias => ({
          ...(!isLast && { more: true }),
          ...(Object.keys(fields).length > 0 && { fields: told(fields, keys, alias) }),
          ...(same !== undefined && { jsonOf: same }),
          ...(value !== undefined && { json: told(value, keys, alias) }),
          ...(!isJson && data.length > 0 && { bytes: data.length }),
        }));
      }

      to(alias => ({ verb, args: told(args, keys, alias) }));
      try {
        const last = await helper.call(verb, args, {
          ...call,
          onMore(frame) {
            keep(frame, false);
            return call.onMore?.(frame);
          },
        });
        keep(last, true);
        return last;
      } catch (error) {
        // A helper's message may quote names.
        const status = statusOf(error);
        from(() => (status === undefined ? { failed: codeOf(error) ?? 'driver-failed' } : { status }));
        throw error;
      }
    },
    get generation() {
      return helper.generation;
    },
    onExit: listener => helper.onExit(listener),
    kill: reason => helper.kill(reason),
    close: () => helper.close(),
  };
}

/** Undefined: it is not JSON, and its driver will say so. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
