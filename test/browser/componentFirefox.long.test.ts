/** `<platen-scan>` in Firefox; in Chromium: component.test.ts. */
import { needs } from '@platen/conformance';
import t from 'tap';
import { start } from '../spec/specTest.js';
import { virtualTopology } from '../topology/virtualTopology.js';
import { formOf, handsInFirefox, headOf, PDF_PROGRAMS, scanAndSend } from './componentKit.js';
import { FIREFOX, openInFirefox } from './firefox.js';

t.test('platen-scan in Firefox: a jam, Continue, a turned page, one posted PDF', async t => {
  if (![FIREFOX, ...PDF_PROGRAMS].every(program => needs(t, program))) return;
  const fixture = await start(t, virtualTopology, { recognisers: ['@platen/document-pdf'] });
  const html = headOf(fixture) + formOf('<platen-scan name="document"></platen-scan>');
  const { page, problems, site } = await openInFirefox(t, { html });
  await scanAndSend(t, fixture, handsInFirefox(page), () => site.posted('/posted'));
  t.same(problems, []);
});
