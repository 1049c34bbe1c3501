/** Which sections of the interface run over which scanners, and the tests that do not apply to them. */
import type { sections } from './sections.js';

export type Section = keyof typeof sections;

export interface Scanners {
  /**
   * By the run's name: the sections that it runs over one fixture. Each run is a separate process, and few of them start
   * few services. `….long` are long tests: what they show of these scanners, virtual ones and the drivers' contract mostly show too.
   * Each section can also be run alone, by its name: no run has the name of a section that it is not.
   */
  readonly runs: Readonly<Record<string, readonly Section[]>>;
  /** Tests that do not apply, by title, each with the reason. */
  readonly gaps?: Readonly<Record<string, string>>;
}

const unturned = 'Resources, enumerations: DuplexShortEdge turns the backs, DuplexLongEdge does not';
const detected = 'Resources, enumerations: Auto is the detected sheet size';
const ofMacs = 'macOS applies no page size (interface, platform differences): every page is the whole area';
const ofDesktops = {
  'What the service does, 4: drivers in the service need no desktop application': 'the service has no driver',
};

/** By the names of `topologies`. `virtual` has every section but those for one kind of scanner only. */
export const scanners = {
  virtual: {
    runs: {
      requests: [
        'authentication',
        'badInput',
        'endpoints',
        'errors',
        'refusals',
        'additions',
        'versioning',
        'whatTheServiceDoes',
        'limits',
      ],
      results: ['pages', 'parameters', 'formats', 'resources', 'states', 'recognition', 'documents'],
      scanning: ['scans', 'cancelling', 'failures', 'direct'],
      watching: ['autoscan', 'autoscanLimits', 'events'],
    },
  },

  // authentication, badInput and limits end in the service's listener, before any scanner, and recognition has pixels
  // only: virtual covers them.
  desktop: {
    runs: {
      usual: ['scans', 'desktopApp'],
      'autoscan.long': ['autoscan', 'events'],
      'autoscanLimits.long': ['autoscanLimits'],
      'cancelling.long': ['cancelling'],
      'direct.long': ['direct', 'endpoints', 'errors', 'refusals', 'additions'],
      'failures.long': ['failures'],
      'pages.long': ['pages', 'parameters', 'formats', 'resources', 'states'],
      'service.long': ['versioning', 'whatTheServiceDoes'],
    },
    gaps: ofDesktops,
  },

  // desktop covers everything on the service's side of the channel: to the service these topologies are the same. Here
  // is what a driver in its own process does: pages, events, failures, and the end of a scan.
  desktopIsolated: {
    runs: {
      'autoscan.long': ['autoscan', 'events'],
      'cancelling.long': ['cancelling'],
      'failures.long': ['failures'],
      'pages.long': ['pages'],
    },
    gaps: ofDesktops,
  },

  // endpoints, errors, refusals and additions end in the service or in core, before any driver: virtual and desktop cover them.
  escl: {
    runs: {
      usual: ['failures', 'pages', 'parameters', 'scans'],
      'autoscan.long': ['autoscan', 'events'],
      'autoscanLimits.long': ['autoscanLimits'],
      'cancelling.long': ['cancelling'],
      'direct.long': ['direct'],
      'formats.long': ['formats', 'resources', 'states'],
    },
    gaps: {
      [detected]: 'eSCL does not report the size of a sheet: Auto is the whole area',
      [unturned]: 'eSCL cannot turn backs: @platen/adjust does, which this configuration does not have',
      'Resources, parameters: jpegQuality is 90 when omitted, and affects the size of a JPEG only':
        'the scanner’s JPEG is passed on unchanged: nothing is encoded',
    },
  },

  sane: {
    runs: {
      usual: ['pages', 'parameters', 'scans'],
      'autoscan.long': ['autoscan', 'events'],
      'autoscanLimits.long': ['autoscanLimits'],
      'cancelling.long': ['cancelling'],
      'direct.long': ['direct'],
      'failures.long': ['failures'],
      'formats.long': ['formats', 'resources', 'states'],
    },
    gaps: {
      [detected]: 'SANE does not report the size of a sheet: Auto is the whole area',
      [unturned]: 'SANE cannot turn backs: @platen/adjust does, which this configuration does not have',
    },
  },

  ica: {
    runs: {
      usual: ['macos', 'pages', 'scans'],
      'autoscan.long': ['autoscan', 'events'],
      'cancelling.long': ['cancelling'],
      'failures.long': ['failures', 'parameters'],
      'resources.long': ['resources'],
    },
    gaps: {
      [unturned]: 'macOS cannot turn backs: @platen/adjust does, which this configuration does not have',
      'Resources, enumerations: every page size has its dimensions': ofMacs,
      [detected]: ofMacs,
      'Resources, parameters: each of the scanner’s resolutions': ofMacs,
      'Resources, parameters: words are accepted in any letter case and answered in the interface’s': ofMacs,
      'Resources, parameters: report lists with each image which parameters were applied, only when it is requested':
        ofMacs,
      'Endpoints, POST /api/twain/autoscan/enable: accepts the parameters of a scan': ofMacs,
    },
  },
} as const satisfies Record<string, Scanners>;

/** @param name of a run, or of a section of one @returns undefined if the row has neither */
export function sectionsOf({ runs }: Scanners, name: string): readonly Section[] | undefined {
  const section = Object.values(runs)
    .flat()
    .find(each => each === name);
  return runs[name] ?? (section && [section]);
}
