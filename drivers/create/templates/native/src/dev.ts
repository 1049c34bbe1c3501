/** What `npm run dev` runs this package with: two simulated scanners, whose feeders fill up again when they are empty. */
// licence: import { readFileSync } from 'node:fs';
import { simulated } from './helper.js';
import { simulate } from './simulation.js';

export default async function dev() {
  const simulation = await simulate();
  await simulation.add('1', 3);
  await simulation.add('2', 3);
  // Yours: with a scanner on your desk, remove this line; the helper with your SDK then runs.
  Object.assign(process.env, simulation.env, { PLATEN_DEV_PROGRAM: simulated });
  return {
    options: {},
    // licence: licence: readFileSync(new URL('../development.licence', import.meta.url), 'utf8').trim(),
    close: simulation.close,
  };
}
