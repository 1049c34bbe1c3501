/** Where a printed policy belongs, as a person reads it above the file. */
import type { Browser } from './browsers.js';
import type { PolicyFormat } from './formats.js';

/** @param system on which Firefox's file lies; the other files belong to one system */
export function placeOf(browser: Browser, format: PolicyFormat, system: NodeJS.Platform): string {
  const { name, engine, folder, ubuntuFolder } = browser;
  if (format === 'registry') return `save as platen-${name}.reg; as administrator: reg import platen-${name}.reg`;
  if (format === 'profile')
    return `save as platen-${name}.mobileconfig; install it with your device management, or open it`;
  const file = 'managed/platen.json';
  if (engine === 'chromium')
    return `${folder}/${file}${ubuntuFolder === undefined ? '' : ` (Ubuntu: ${ubuntuFolder}/${file})`}`;
  return `${besideFirefox[system] ?? `${folder}/policies.json`} (if it exists, add the policy to it)`;
}

/** Firefox's file beside the program, where the system has no folder of its own for it. */
export const besideFirefox: Readonly<Partial<Record<NodeJS.Platform, string>>> = {
  win32: 'C:\\Program Files\\Mozilla Firefox\\distribution\\policies.json',
  darwin: '/Applications/Firefox.app/Contents/Resources/distribution/policies.json',
};
