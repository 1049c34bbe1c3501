/** The settings of the selected scanner: its capabilities as controls, the chosen values as scan parameters. */
import type { Area, Capabilities, CapabilityDetails, ControlParameters, ScanParameters } from '../client.js';
import { createBasicSettings, type BasicSettings } from './basicSettings.js';
import { choiceOf, foldedOf, groupOf } from './controls.js';
import { byId, element, fill } from './element.js';
import { recall, remember } from './memory.js';
import { createPluginSwitches, recalledWishes, rememberWishes, type PluginSwitches } from './pluginSwitches.js';
import type { Installed } from './service.js';
import { changesIn, pageDefaults, serviceDefaults, type Values } from './settingValues.js';
import { createSourceControls, type SourceControls } from './sourceControls.js';
import { valueWord } from './words.js';

/** A scanner whose capabilities are known. */
export interface Known {
  readonly scanner: string;
  readonly can: Capabilities;
  readonly installed: Installed;
}

export interface SettingsParts {
  /** A button that gets one. */
  readonly separatorSheet: HTMLElement;
  onChange(): void;
  onPreview(): void;
}

export interface Settings {
  /** Replaces the controls by those of another scanner; keeps chosen values that this scanner has. */
  show(known: Known): void;
  /** For a scanner whose capabilities are unknown. */
  say(sentence: string): void;
  /** Undefined while no controls are shown. */
  readonly parameters: ScanParameters | undefined;
  /** Whether pages come from the flatbed only. */
  readonly isFlatbed: boolean;
  readonly area: Area | undefined;
  /** Makes the flatbed the source. @param area undefined: the whole page */
  takeArea(area: Area | undefined): void;
}

const noDetails: CapabilityDetails = { sources: {}, formats: [], recognisers: [], processors: [] };

interface Shown {
  readonly known: Known;
  /** Empty without a profile. */
  readonly profile: ScanParameters;
  readonly basic: BasicSettings;
  readonly source: SourceControls;
  readonly plugins: PluginSwitches;
  /** The values before the user changed any. */
  readonly began: { readonly basic: Values; readonly plugins: PluginSwitches['wishes'] };
}

export function createSettings({ separatorSheet, onChange, onPreview }: SettingsParts): Settings {
  const place = byId('controls', HTMLElement);
  const digest = byId('digest', HTMLElement);
  let shown: Shown | undefined;
  /** The last values of the controls. */
  let before: Values | undefined;
  let wanted: Values = { ...pageDefaults, ...(recall('settings') as Partial<Values> | undefined) };
  let profileName = (recall('profile') as string | undefined) ?? '';

  /** Only the values that the user changed: one that this scanner lacks applies again to the next scanner. */
  function changed(): void {
    if (!shown) return;
    const { basic, source, plugins } = shown;
    const now = basic.values;
    const changes = changesIn(now, before ?? {});
    before = now;
    // The later choice counts: an area replaces the page size.
    if (changes.pageSize !== undefined) source.setArea(undefined);
    if (profileName === '') {
      wanted = { ...wanted, ...changes };
      remember('settings', wanted);
      rememberWishes(plugins.wishes);
    }
    follow();
  }

  /** What depends on other controls. */
  function follow(): void {
    if (!shown) return;
    const { basic, source } = shown;
    const { resolution, colorMode, imageFormat } = basic.values;
    digest.textContent = [valueWord(resolution, 'resolution'), valueWord(colorMode), imageFormat.toUpperCase()].join(
      ' · ',
    );
    source.setColorMode(colorMode);
    basic.nodes.duplexMode.hidden = source.isFlatbed || !shown.known.can.supportsDuplex;
    onChange();
  }

  function draw(known: Known, body: HTMLElement, start: ControlParameters): void {
    const { can, installed } = known;
    const details = can.details ?? noDetails;
    const profile = installed.profiles[profileName] ?? {};
    const isOwn = profileName === '';
    const basic = createBasicSettings(
      can,
      details,
      isOwn ? wanted : { ...serviceDefaults, ...given(profile) },
      changed,
    );
    const source = createSourceControls({
      sources: details.sources,
      base: profile,
      start,
      onChange: () => follow(),
      onPreview,
    });
    const plugins = createPluginSwitches(details, isOwn ? recalledWishes() : profile, changed);
    before = basic.values;
    shown = { known, profile, basic, source, plugins, began: { basic: before, plugins: plugins.wishes } };
    const { nodes } = basic;
    fill(
      body,
      source.source,
      nodes.colorMode,
      element('div', { class: 'pair' }, nodes.resolution, nodes.pageSize),
      source.paper,
      nodes.duplexMode,
      nodes.imageFormat,
      source.look,
      groupOf('Improve', basic.improvements),
      groupOf('Read', [nodes.barcodeReadingEnabled, nodes.ocrEnabled]),
      groupOf('Plugins', plugins.nodes),
      nodes.blankPages,
      foldedOf(
        'More',
        nodes.barcodeFilterLevel,
        nodes.barcodeStopAfterFirst,
        nodes.jpegQuality,
        nodes.requestTimeoutSeconds,
        // It is a PDF, which the service writes.
        installed.documents.includes('pdf') && separatorSheet,
      ),
    );
    follow();
  }

  /** Undefined without profiles. */
  function profileChoice(known: Known, body: HTMLElement): HTMLElement | undefined {
    const names = Object.keys(known.installed.profiles);
    if (!names.includes(profileName)) profileName = '';
    if (names.length === 0) return undefined;
    const options = [{ value: '', text: 'None' }, ...names.map(value => ({ value, text: value }))];
    const choice = choiceOf('Profile', options, profileName, () => {
      profileName = choice.value;
      remember('profile', profileName);
      draw(known, body, {});
    });
    return choice.node;
  }

  /** Of the scanner shown last: its capabilities may be read again. */
  let kept: { readonly scanner: string; readonly wishes: ControlParameters } | undefined;
  let redraw: ((start: ControlParameters) => void) | undefined;
  return {
    get parameters() {
      return shown && { ...parametersOf(shown, profileName), report: true };
    },
    get isFlatbed() {
      return shown?.source.isFlatbed ?? false;
    },
    get area() {
      return shown?.source.wishes.area;
    },
    takeArea(area) {
      if (!shown) return;
      const { area: _, ...others } = shown.source.wishes;
      redraw?.({ ...others, ...(area && { source: 'Flatbed', area }) });
      // Not even the profile's.
      if (!area) shown.source.setArea(undefined);
    },
    say(sentence) {
      if (shown) kept = { scanner: shown.known.scanner, wishes: shown.source.wishes };
      shown = undefined;
      digest.textContent = '';
      fill(place, element('p', { class: 'none' }, sentence));
    },
    show(known) {
      const body = element('div', { class: 'controls' });
      fill(place, profileChoice(known, body), body);
      redraw = start => draw(known, body, start);
      redraw(kept?.scanner === known.scanner ? kept.wishes : {});
    },
  };
}

/** Without a profile, all values of the page; with one, those that the user changed. */
function parametersOf({ basic, source, plugins, began, profile }: Shown, profileName: string): ScanParameters {
  const { values } = basic;
  const { changes } = source;
  const sides = source.isFlatbed ? { duplexMode: 'Simplex' as const } : {};
  if (profileName === '') return { ...values, ...sides, ...changes, ...plugins.wishes };
  const fields = changesIn(
    { process: {}, recognise: {}, readers: {}, ...plugins.wishes },
    { process: {}, recognise: {}, readers: {}, ...began.plugins },
  );
  // The request's page size goes before the profile's area.
  const whole = profile.area && !source.wishes.area ? { pageSize: values.pageSize } : {};
  return { profile: profileName, ...changesIn(values, began.basic), ...whole, ...changes, ...fields };
}

/** The profile's values that have a control of every scanner. */
const given = (profile: ScanParameters): Partial<Values> =>
  Object.fromEntries(Object.entries(profile).filter(([name]) => Object.hasOwn(serviceDefaults, name)));
