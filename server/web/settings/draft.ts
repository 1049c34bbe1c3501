/** What the person has changed in a form, and not saved yet. */
import type { Change, Found, Json, PluginSettings, Schema } from './state.js';

export interface Draft {
  readonly enabled: boolean;
  /** Values that differ from those that hold, by the options' names; undefined: the other files' value, or the default. */
  readonly options: Json;
}

export const draftOf = ({ enabled }: PluginSettings): Draft => ({ enabled, options: {} });

/** What an option's control shows. */
export function shown({ options, optionsSchema }: PluginSettings, draft: Draft, name: string): unknown {
  const fallback = optionsSchema?.properties?.[name]?.default;
  if (Object.hasOwn(draft.options, name)) return draft.options[name] ?? fallback;
  return options[name] ?? fallback;
}

/** @param value undefined: none of its own */
export function withOption(plugin: PluginSettings, draft: Draft, name: string, value: unknown): Draft {
  const { [name]: _, ...others } = draft.options;
  const holds = plugin.options[name] ?? plugin.optionsSchema?.properties?.[name]?.default;
  const isSame = JSON.stringify(value) === JSON.stringify(holds);
  return { ...draft, options: isSame ? others : { ...others, [name]: value } };
}

/** Puts what a plugin found into the options: what is a list gets it added. */
export function withFound(plugin: PluginSettings, draft: Draft, { options }: Found): Draft {
  let next = draft;
  for (const [name, value] of Object.entries(options)) {
    const old = shown(plugin, next, name);
    const list = Array.isArray(old) ? (old as unknown[]) : [];
    const has = (each: unknown): boolean => list.some(other => JSON.stringify(other) === JSON.stringify(each));
    const added = Array.isArray(value) ? [...list, ...value.filter(each => !has(each))] : value;
    next = withOption(plugin, next, name, added);
  }
  return next;
}

/** @returns undefined if nothing is changed */
export function changeOf(plugin: PluginSettings, draft: Draft): Change | undefined {
  const entries = Object.entries(draft.options);
  const options = Object.fromEntries(entries.filter(([, value]) => value !== undefined));
  const unset = entries.filter(([, value]) => value === undefined).map(([name]) => name);
  if (draft.enabled === plugin.enabled && entries.length === 0) return undefined;
  return {
    use: plugin.use,
    ...(draft.enabled === plugin.enabled ? {} : { enabled: draft.enabled }),
    ...(Object.keys(options).length > 0 ? { options } : {}),
    ...(unset.length > 0 ? { unset } : {}),
  };
}

/** `discoverySeconds`: "Discovery seconds". */
export function titleOf(name: string, { title }: Schema = {}): string {
  if (title !== undefined) return title;
  const words = name
    .replaceAll(/[_-]+/g, ' ')
    .replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, ' ')
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** What a new entry of a list is. */
export function emptyOf(schema: Schema = {}): unknown {
  if (schema.default !== undefined) return structuredClone(schema.default);
  if (schema.enum) return schema.enum[0];
  if (schema.type === 'object' || schema.properties)
    return Object.fromEntries(
      Object.entries(schema.properties ?? {})
        .filter(([name, inner]) => inner.default !== undefined || schema.required?.includes(name))
        .map(([name, inner]) => [name, emptyOf(inner)]),
    );
  if (schema.type === 'array') return [];
  if (schema.type === 'boolean') return false;
  if (schema.type === 'number' || schema.type === 'integer') return schema.minimum ?? 0;
  return '';
}
