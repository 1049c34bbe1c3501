/** Consent in Firefox. */
import t from 'tap';
import { consentCases } from './consentCases.js';
import { inFirefox } from './consentKit.js';

await consentCases(t, inFirefox);
