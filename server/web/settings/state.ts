/** What the service says of its plugins' settings, and the calls that change them. */
import { answerOf } from '../shared/calls.js';

export type Json = Readonly<Record<string, unknown>>;

/** What of a JSON Schema a form shows. */
export interface Schema {
  readonly type?: string;
  readonly title?: string;
  readonly description?: string;
  /** `s`, `dpi`: shown after the value. */
  readonly unit?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly writeOnly?: boolean;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

export interface PluginSettings {
  readonly use: string;
  readonly enabled: boolean;
  readonly state: 'loaded' | 'skipped' | 'unlicensed' | 'refused' | 'disabled';
  readonly version?: string;
  readonly sentence?: string;
  readonly provides: readonly { readonly kind: string; readonly id: string }[];
  readonly finds: boolean;
  readonly optionsSchema?: Schema;
  readonly options: Json;
  readonly own: readonly string[];
  readonly fixed: readonly string[];
}

export interface State {
  readonly file: string;
  readonly plugins: readonly PluginSettings[];
}

export interface Change {
  readonly use: string;
  readonly enabled?: boolean;
  readonly options?: Json;
  readonly unset?: readonly string[];
}

export interface Difference {
  readonly use: string;
  readonly option?: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

export interface Preview {
  readonly differences: readonly Difference[];
  readonly problems: readonly { readonly use: string; readonly sentence: string }[];
  readonly digest: string;
}

export interface Saved {
  readonly changes: readonly string[];
  readonly faults: readonly string[];
}

export interface Found {
  readonly title: string;
  readonly options: Json;
}

const KEY = 'platen.settings';

/** The key stays in this tab, and not in its address. */
export function takeKey(): void {
  const found = /^#key=([\w-]{43})$/.exec(location.hash)?.[1];
  if (found === undefined) return;
  sessionStorage.setItem(KEY, found);
  history.replaceState(null, '', location.pathname);
}

async function call(path: string, body?: object): Promise<Json> {
  const headers = {
    'x-platen-settings': sessionStorage.getItem(KEY) ?? '',
    ...(body ? { 'content-type': 'application/json' } : {}),
  };
  return answerOf(path, { headers, ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}) });
}

/** @throws PlatenError, as do the others */
export const readState = async (): Promise<State> => (await call('/settings/state')) as unknown as State;

export const preview = async (changes: readonly Change[]): Promise<Preview> =>
  (await call('/settings/preview', { changes })) as unknown as Preview;

export const save = async (changes: readonly Change[], digest: string): Promise<Saved> =>
  (await call('/settings/save', { changes, digest })) as unknown as Saved;

export const find = async (use: string): Promise<readonly Found[]> =>
  ((await call(`/settings/found?use=${encodeURIComponent(use)}`)) as unknown as { found: readonly Found[] }).found;
