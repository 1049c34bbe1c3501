/** What an embedder fixes by attributes and properties of the element. */
import type { StartParameters } from '../client/shapes.js';

/**
 * What a person can do with the pages. `done`: hand them to the page that embeds the component. `save`: as files. `print`.
 * `auto-scan`: scan whatever is inserted. `facts`: see a page's text, barcodes and report.
 */
export type Action = 'done' | 'save' | 'print' | 'auto-scan' | 'facts';
export const allActions: readonly Action[] = ['done', 'save', 'print', 'auto-scan', 'facts'];

export interface Options {
  /** The only scanner; undefined: the person chooses. */
  readonly scanner: string | undefined;
  readonly profile: string | undefined;
  /** The application's own page about installing the service. */
  readonly install: string | undefined;
  /** What Done gives: `images`, or the extension of a document format, such as `pdf`. */
  readonly format: string;
  /** Fixed parameters of every scan: they have no control. */
  readonly parameters: StartParameters;
  readonly actions: ReadonlySet<Action>;
}

/** Of attributes; what is not valid is as if it were absent, and the console says so. */
export function optionsOf(attribute: (name: string) => string | null, given: StartParameters | undefined): Options {
  const words = attribute('actions')?.split(/\s+/).filter(Boolean) ?? ['done'];
  for (const word of words)
    if (!isAction(word)) console.warn(`<platen-scan>: "actions" takes ${allActions.join(', ')}, not "${word}".`);
  return {
    scanner: attribute('scanner') ?? undefined,
    profile: attribute('profile') ?? undefined,
    install: attribute('install') ?? undefined,
    format: attribute('format') ?? 'pdf',
    parameters: given ?? parametersIn(attribute('parameters')),
    actions: new Set(words.filter(isAction)),
  };
}

const isAction = (word: string): word is Action => (allActions as readonly string[]).includes(word);

function parametersIn(text: string | null): StartParameters {
  if (text === null) return {};
  try {
    const value = JSON.parse(text) as unknown;
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Said below, like JSON that is not an object.
  }
  console.warn(`<platen-scan>: "parameters" takes a JSON object of scan parameters, not ${text}.`);
  return {};
}
