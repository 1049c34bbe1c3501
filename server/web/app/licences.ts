/** Lines of licences that end soon: the person at the scanner tells whoever can ask for a new one. */
import { byId, element, fill } from '../shared/element.js';
import type { EndingLicence } from './service.js';
import type { Words } from './words.js';

export function showLicences(licences: readonly EndingLicence[], words: Words | undefined): void {
  const place = byId('licences', HTMLElement);
  place.hidden = !words || licences.length === 0;
  if (!words) return;
  const day = (date: string): string => words.date(new Date(date), { dateStyle: 'long', timeZone: 'UTC' });
  fill(
    place,
    ...licences.map(({ plugin, ends, graceEnds }) => {
      // Its letters keep their direction.
      const values = { plugin: `\u2068${plugin}\u2069`, day: day(ends) };
      const line =
        graceEnds === undefined
          ? words('licence.ends', values)
          : words('licence.grace', { ...values, end: day(graceEnds) });
      return element('p', {}, line);
    }),
  );
}
