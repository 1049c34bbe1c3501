/** Which sections of the interface are run over which scanners, and what those cannot show. */
import type { sections } from './sections.js';

export type Section = keyof typeof sections;

export interface Scanners {
  /** Each run is a process of its own: the sections that it runs over one fixture, by its name. */
  readonly runs: Readonly<Record<string, readonly Section[]>>;
  /** Tests that cannot apply, by their titles, each with the sentence that says why. */
  readonly gaps?: Readonly<Record<string, string>>;
}

const unturned = 'Resources, enumerations: DuplexShortEdge turns the backs, DuplexLongEdge does not';
const detected = 'Resources, enumerations: Auto is the sheet that was detected';
const ofMacs = 'macOS applies no page size (interface, platform differences): every page is the whole area';
const ofDesktops = {
  'What the service does, 4: drivers in the service need no desktop application': 'no driver is in the service',
};

/** By the names of `topologies`. `virtual` has every section but those for one kind of scanner only. */
export const scanners = {
  virtual: {
    runs: {
      authentication: ['authentication'],
      autoscan: ['autoscan'],
      autoscanLimits: ['autoscanLimits'],
      badInput: ['badInput'],
      cancelling: ['cancelling'],
      direct: ['direct'],
      endpoints: ['endpoints', 'errors'],
      events: ['events'],
      failures: ['failures'],
      formats: ['formats', 'parameters'],
      pages: ['pages'],
      recognition: ['recognition'],
      refusals: ['refusals'],
      resources: ['resources', 'states'],
      service: ['whatTheServiceDoes', 'limits', 'versioning'],
    },
  },

  // authentication, badInput and limits end in the service's listener, before any scanner: virtual shows them.
  desktop: {
    runs: {
      autoscan: ['autoscan', 'events'],
      autoscanLimits: ['autoscanLimits'],
      cancelling: ['cancelling'],
      direct: ['direct', 'endpoints', 'errors', 'refusals'],
      failures: ['failures'],
      pages: ['pages', 'parameters', 'formats', 'resources', 'states'],
      recognition: ['recognition'],
      service: ['desktopApp', 'versioning', 'whatTheServiceDoes'],
    },
    gaps: ofDesktops,
  },

  // What is decided in the service or on its side of the channel, desktop shows: to the service these are the same.
  desktopIsolated: {
    runs: {
      autoscan: ['autoscan', 'events'],
      autoscanLimits: ['autoscanLimits'],
      cancelling: ['cancelling'],
      direct: ['direct', 'endpoints', 'errors', 'refusals'],
      failures: ['failures'],
      pages: ['pages', 'parameters', 'formats', 'resources', 'states'],
    },
    gaps: ofDesktops,
  },

  escl: {
    runs: {
      autoscan: ['autoscan'],
      autoscanLimits: ['autoscanLimits'],
      cancelling: ['cancelling'],
      direct: ['direct'],
      events: ['events'],
      failures: ['failures'],
      formats: ['formats', 'resources', 'states', 'errors'],
      pages: ['pages', 'parameters'],
      refusals: ['refusals', 'endpoints'],
    },
    gaps: {
      [detected]: 'eSCL does not tell how large a sheet is: Auto is the whole area',
      [unturned]: 'eSCL has no word for it: turning backs is @platen/adjust, which this configuration does not have',
      'Resources, parameters: jpegQuality is 90 when omitted, and steers the size of a JPEG only':
        'a JPEG of the scanner is handed on as it is: nothing is encoded',
    },
  },

  sane: {
    runs: {
      autoscan: ['autoscan'],
      autoscanLimits: ['autoscanLimits'],
      cancelling: ['cancelling'],
      direct: ['direct'],
      events: ['events'],
      failures: ['failures'],
      formats: ['formats', 'resources', 'states', 'errors'],
      pages: ['pages', 'parameters'],
      refusals: ['refusals', 'endpoints'],
    },
    gaps: {
      [detected]: 'SANE does not tell how large a sheet is: Auto is the whole area',
      [unturned]: 'no backend of SANE turns backs: that is @platen/adjust, which this configuration does not have',
    },
  },

  ica: {
    runs: {
      autoscan: ['autoscan'],
      cancelling: ['cancelling'],
      events: ['events'],
      failures: ['failures'],
      macos: ['macos'],
      pages: ['pages', 'parameters'],
      resources: ['resources'],
    },
    gaps: {
      [unturned]: 'no scanner of a Mac turns backs: that is @platen/adjust, which this configuration does not have',
      'Resources, enumerations: every page size has its measures': ofMacs,
      [detected]: ofMacs,
      'Resources, parameters: each of the scanner’s resolutions': ofMacs,
      'Resources, parameters: words are accepted in any letter case and answered in the interface’s': ofMacs,
      'Resources, parameters: report lists with each image which parameters were applied, only when it is requested':
        ofMacs,
      'Endpoints, POST /api/twain/autoscan/enable: takes the parameters of a scan': ofMacs,
    },
  },
} as const satisfies Record<string, Scanners>;
