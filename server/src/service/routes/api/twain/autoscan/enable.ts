/** `POST /api/twain/autoscan/enable`: from now on, scans every document that is inserted. */
import { assertAllowed, callerOf } from '../../../../http/guards/consentGuard.js';
import { noteBody } from '../../../../shapes/note.js';
import { optionsFromSimple } from '../../../../parameters/scanParameters.js';
import { withProfile } from '../../../../parameters/profiles.js';
import { notesOn, readEnableBody } from '../../../../shapes/scanRequest.js';
import { EnableBody, Enabled } from '../../../../shapes/schemas.js';
import { originOf } from '../../../../http/guards/ownPage.js';
import { assertOpenScanner, assertSettings } from '../../../../http/guards/scannerConsent.js';
import { refusals } from '../../../../openapi/refusals.js';
import type { Route } from '../../../../route.js';

const schema = {
  operationId: 'enableAutoscan',
  summary: 'From now on, scan every document that is inserted',
  description:
    'Uses the open scanner, or the named one; several scanners can be on at the same time. If auto-scan is already enabled on it, new parameters apply from the next document. It ends itself when no client has read the stream for 5 minutes. Pages that were undelivered when an earlier auto-scan of the same origin ended wait for the stream; the message says how many.',
  tags: ['Auto-scan'],
  body: EnableBody,
  response: {
    '2xx': Enabled,
    ...refusals(
      'invalid-value',
      'invalid-json',
      'device-not-found',
      'no-source-open',
      'busy',
      'driver-failed',
      'not-connected',
    ),
  },
};

const enable: Route = (app, parts) => {
  const { scans, registry, forPages, profiles, consent } = parts;
  app.post('/api/twain/autoscan/enable', { schema, preValidation: readEnableBody }, async request => {
    const { parameters, scannerName, keep = false, requestId } = request.body;
    if (scannerName !== undefined) assertAllowed(request, consent, 'auto-scan', [scannerName]);
    const scanner = scannerName ?? assertOpenScanner(request, parts, 'auto-scan');
    assertSettings(request, consent, parameters);
    const options = optionsFromSimple(withProfile(parameters, profiles), registry);
    const caller = callerOf(request);
    const isHeld = scanner !== undefined && scans.isAutoscanOf(caller.origin, scanner);
    const given = notesOn(request.body);
    const keeping = keep ? { ...(requestId === undefined ? {} : { requestId }) } : undefined;
    const notes = [...given, ...(await scans.enableAutoscan(options, scannerName, originOf(request), keeping))];
    const kept = keep && scanner !== undefined ? scans.keptAutoscanOf(originOf(request), scanner) : undefined;
    consent.used(caller, 'auto-scan', scanner);
    // New parameters of a running one.
    if (!isHeld)
      consent.holds.hold({
        caller,
        right: 'auto-scan',
        scanner,
        isOver: () => !scans.isAutoscanOf(caller.origin, scanner),
        stop: () => void scans.withdrawAutoscan(caller.origin, scanner),
      });
    const message = ['Auto-scan is enabled.', ...notes.map(({ text }) => text)].join(' ');
    return {
      success: true as const,
      message,
      ...(kept ? { scan: kept.id } : {}),
      ...(options.report ? { notes: notes.map(note => noteBody(note, forPages)) } : {}),
    };
  });
};
export default enable;
