/** What `npm run dev` runs this package with. */
// licence: import { readFileSync } from 'node:fs';

export default function dev() {
  return {
    // Yours: the options of the package, if it has any.
    options: {},
    // licence: licence: readFileSync(new URL('../development.licence', import.meta.url), 'utf8').trim(),
  };
}
