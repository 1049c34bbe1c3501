/** A button that downloads a separator sheet to print: between two documents in the feeder, it separates them. */
import { button, element } from './element.js';
import { download } from './saving.js';
import type { Service } from './service.js';

/** Where paper has the size Letter. */
const letter: ReadonlySet<string> = new Set(['US', 'CA', 'MX', 'PH', 'CL', 'CO', 'VE']);

export function separatorSheet(service: Service, onFailure: (error: unknown) => void): HTMLElement {
  const { region = '' } = new Intl.Locale(navigator.language).maximize();
  const size = letter.has(region) ? 'Letter' : 'A4';
  const get = async (): Promise<void> => download(await service.separatorSheet(size), 'separator-sheet.pdf');
  return element(
    'div',
    {},
    button('Save a separator sheet', () => void get().catch(onFailure), { icon: 'save', class: 'ghost small' }),
    element(
      'p',
      { class: 'hint' },
      'Printed, and put between two documents: applications that ask for it begin a new document there. This page does not.',
    ),
  );
}
