/** Consent in Chromium; in Firefox: consentFirefox.long.test.ts. */
import t from 'tap';
import { consentCases } from './consentCases.js';
import { inChromium } from './consentKit.js';

await consentCases(t, inChromium);
