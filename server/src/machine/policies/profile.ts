/** Policies as a configuration profile of macOS, which a device management or a person installs. */
import { createHash } from 'node:crypto';
import { isList, type Browser, type Settings } from './browsers.js';

export interface ProfileWords {
  readonly identifier: string;
  readonly title: string;
  readonly description: string;
  /** Of the settings, for the person who looks at the profile. */
  readonly settingsTitle: string;
  /** The domain of the preferences. */
  readonly domain: string;
}

/** The same policies give the same file, and a profile for the same browser replaces it. */
export function profile({ name, title, domain, engine }: Browser, settings: Settings): string {
  const used = engine === 'firefox' ? { EnterprisePoliciesEnabled: true, ...settings } : settings;
  return profileText(
    {
      identifier: `org.platen.policy.${name}`,
      title: `Platen: ${title}`,
      description: 'Lets web applications scan without a question of the browser.',
      settingsTitle: `${title}: web pages that may reach this computer`,
      domain,
    },
    used,
  );
}

/** @param settings of the domain */
export function profileText(
  { identifier, title, description, settingsTitle, domain }: ProfileWords,
  settings: { readonly [key: string]: PlistValue },
): string {
  const content = JSON.stringify(settings);
  const payload = {
    ...settings,
    PayloadDisplayName: settingsTitle,
    PayloadIdentifier: `${identifier}.settings`,
    PayloadType: domain,
    PayloadUUID: uuidOf(`${identifier}.settings ${content}`),
    PayloadVersion: 1,
  };
  const whole = {
    PayloadContent: [payload],
    PayloadDescription: description,
    PayloadDisplayName: title,
    PayloadIdentifier: identifier,
    PayloadScope: 'System',
    PayloadType: 'Configuration',
    PayloadUUID: uuidOf(`${identifier} ${content}`),
    PayloadVersion: 1,
  };
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">',
    '<plist version="1.0">',
    ...elementsOf(whole, ''),
    '</plist>',
  ].join('\n');
}

export type PlistValue = string | boolean | number | readonly PlistValue[] | { readonly [key: string]: PlistValue };

function elementsOf(value: PlistValue, indent: string): string[] {
  const deeper = `${indent}  `;
  if (typeof value === 'boolean') return [`${indent}<${value}/>`];
  if (typeof value === 'number')
    return [Number.isInteger(value) ? `${indent}<integer>${value}</integer>` : `${indent}<real>${value}</real>`];
  if (typeof value === 'string') return [`${indent}<string>${escaped(value)}</string>`];
  if (isList(value))
    return wrapped(
      'array',
      value.flatMap(each => elementsOf(each, deeper)),
    );
  return wrapped(
    'dict',
    Object.entries(value).flatMap(([key, each]) => [
      `${deeper}<key>${escaped(key)}</key>`,
      ...elementsOf(each, deeper),
    ]),
  );

  function wrapped(tag: string, lines: readonly string[]): string[] {
    return [`${indent}<${tag}>`, ...lines, `${indent}</${tag}>`];
  }
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const escaped = (text: string): string => text.replaceAll(/[&<>]/g, character => entities[character] ?? '');

/** Version 5 of RFC 9562, upper case as Apple's tools write it; its name space is not a registered one. */
function uuidOf(name: string): string {
  const bytes = createHash('sha1').update(`platen ${name}`).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex').toUpperCase();
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
