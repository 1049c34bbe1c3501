/** Policies as the files that browsers and systems read: JSON, a registry file of Windows, a profile of macOS. */
import type { Browser, Settings } from './browsers.js';
import { profile } from './profile.js';
import { registryFile } from './registryFile.js';

export const policyFormats = ['json', 'registry', 'profile'] as const;
export type PolicyFormat = (typeof policyFormats)[number];

/** Each text is without its last line feed. */
export const writers: Readonly<Record<PolicyFormat, (browser: Browser, settings: Settings) => string>> = {
  json: ({ engine }, settings) =>
    JSON.stringify(engine === 'firefox' ? { policies: settings } : settings, undefined, 2),
  registry: registryFile,
  profile,
};
