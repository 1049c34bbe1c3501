/**
 * The development module of a package, `platen.dev` of its package.json: its default export starts what the plugin needs
 * to run on its author's computer, such as a simulator of the device, and returns the plugin's options.
 */
import { pathToFileURL } from 'node:url';

export interface DevPlan {
  /** The plugin's options in the configuration. */
  readonly options?: Readonly<Record<string, unknown>>;
  /** The plugin's licence in the configuration. */
  readonly licence?: string;
  /** Ends what was started. */
  close?(): unknown;
}

/** @throws Error if the module does not return such a plan, or whatever it throws */
export async function devPlanOf(file: string): Promise<DevPlan> {
  const { default: make } = (await import(pathToFileURL(file).href)) as { default?: unknown };
  if (typeof make !== 'function')
    throw new Error(`The default export of ${file} is not a function that returns { options, close }`);
  const plan: unknown = await make();
  if (!isObject(plan)) throw new Error(`The function that ${file} exports returned no object { options, close }`);
  const { options, licence, close } = plan as { options?: unknown; licence?: unknown; close?: unknown };
  if (options !== undefined && !isObject(options)) throw new Error(`${file} returned "options" that are not an object`);
  if (licence !== undefined && typeof licence !== 'string')
    throw new Error(`${file} returned a "licence" that is not text`);
  if (close !== undefined && typeof close !== 'function')
    throw new Error(`${file} returned a "close" that is not a function`);
  return plan as DevPlan;
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
