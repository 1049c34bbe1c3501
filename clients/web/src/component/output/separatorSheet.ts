/** A separator sheet to print: between two documents in the feeder, it separates them. */
import { failureOf, jsonOf } from '../../client/service.js';
import type { Context } from '../context.js';
import { download } from './download.js';

/** Where paper has the size Letter. */
const letter: ReadonlySet<string> = new Set(['US', 'CA', 'MX', 'PH', 'CL', 'CO', 'VE']);

/** @param locale of the person's browser, BCP 47 */
export function sheetSizeIn(locale: string): 'A4' | 'Letter' {
  const { region = '' } = new Intl.Locale(locale).maximize();
  return letter.has(region) ? 'Letter' : 'A4';
}

/** A PDF as a download. @throws PlatenError */
export async function saveSeparatorSheet({ client }: Context): Promise<void> {
  const query = new URLSearchParams({ patch: 'T', text: 'PATCHT', size: sheetSizeIn(navigator.language) });
  const response = await fetch(`${client.baseUrl}/api/separator?${query}`, { cache: 'no-store' });
  if (!response.ok) throw failureOf(response, await jsonOf(response));
  download(await response.blob(), 'separator-sheet.pdf');
}
