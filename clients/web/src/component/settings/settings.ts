/** The settings of the selected scanner: what it offers, what the person chose, and the parameters that come of it. */
import type { Area, ControlParameters, OffReason, StartParameters } from '../../client/shapes.js';
import type { Context } from '../context.js';
import type { Key } from '../words/en.js';
import type { Words } from '../words/words.js';
import { fitted } from './area/area.js';
import { createChoices, firstShown, shownAgain } from './choices.js';
import { detailsIn } from './offers.js';
import { withOption, type OptionValue } from './options.js';
import { formatsFor, parametersOf, wished, type Known, type Shown } from './parameters.js';
import { switchIn, wishesOf, withSwitch, type Offer, type PluginState } from './plugins.js';
import type { Values } from './settingValues.js';
import { valueWord } from './settingWords.js';
import { detailsOf, sourceOf } from './sourceDetails.js';

export interface SettingsParts {
  readonly context: Context;
  /** Set by the embedder: without a control, and always sent. After a change, show the settings again. */
  readonly fixed: () => StartParameters;
  /** Why no recogniser of this kind is there; undefined: it is not known. */
  whyOff(kind: string): OffReason | undefined;
  onPreview(): void;
  onSeparatorSheet(): void;
}

export interface Settings extends Pick<SettingsParts, 'fixed' | 'whyOff' | 'onPreview' | 'onSeparatorSheet'> {
  readonly known: Known | undefined;
  /** Why there are none. */
  readonly absent: Key | undefined;
  /** Of another scanner: keeps chosen values that it has, too. */
  show(known: Known): void;
  /** Of the same scanner: the plugins have changed. */
  showAgain(known: Known): void;
  /** For a scanner whose capabilities are unknown. */
  say(key: Key): void;
  /** Undefined while none are shown. */
  readonly parameters: StartParameters | undefined;
  /** Whether pages come from the flatbed only. */
  readonly isFlatbed: boolean;
  readonly area: Area | undefined;
  /** Makes the flatbed the source. @param area undefined: the whole page */
  takeArea(area: Area | undefined): void;
  /** `200 dpi · Colour · PNG`; empty while none are shown. */
  readonly digest: string;

  /** For the controls; undefined while none are shown. */
  readonly shown: Shown | undefined;
  /** Whether an area was there when its controls appeared: it is not hidden behind its heading. */
  readonly opensArea: boolean;
  /** @param name empty: none */
  chooseProfile(name: string): void;
  set<Name extends keyof Values>(name: Name, value: Values[Name]): void;
  /** @param value undefined: as the scanner has it */
  wish<Name extends keyof ControlParameters>(name: Name, value: ControlParameters[Name] | undefined): void;
  setDriverOption(name: string, value: OptionValue | undefined): void;
  setSwitch(offer: Offer, isOn: boolean): void;
  setPluginOption(offer: Offer, name: string, value: OptionValue | undefined): void;
  setReader(kind: string, name: string): void;
}

export function createSettings({ context, ...parts }: SettingsParts): Settings {
  const { fixed } = parts;
  const choices = createChoices(context.memory);
  let known: Known | undefined;
  let absent: Key | undefined;
  let shown: Shown | undefined;
  let opensArea = false;
  /** Of the scanner shown last: its capabilities may be read again. */
  let kept: { readonly scanner: string; readonly wishes: ControlParameters } | undefined;

  function change(next: Partial<Shown>): void {
    if (!shown) return;
    shown = { ...shown, ...next };
    context.changed();
  }

  /** @param start what this scanner's controls had before */
  function begin(next: Known, start: ControlParameters): void {
    shown = firstShown(next, choices, fixed(), start);
    opensArea = shown.wishes.area !== undefined;
    context.changed();
  }

  function changePlugins(plugins: PluginState): void {
    if (!shown) return;
    if (shown.profileName === '') choices.setPlugins(wishesOf(detailsIn(shown.can), plugins));
    change({ plugins });
  }

  function keep(): void {
    if (shown && known) kept = { scanner: known.scanner, wishes: shown.wishes };
  }

  const settings: Settings = {
    ...parts,
    get known() {
      return known;
    },
    get absent() {
      return absent;
    },
    get shown() {
      return shown;
    },
    get opensArea() {
      return opensArea;
    },
    get parameters() {
      return shown && { ...parametersOf(shown, fixed()), report: true };
    },
    get isFlatbed() {
      return shown !== undefined && sourceOf(detailsIn(shown.can).sources, wished(shown, fixed())) === 'Flatbed';
    },
    get area() {
      return shown && wished(shown, fixed()).area;
    },
    get digest() {
      return shown ? digestOf(shown, fixed(), context.words) : '';
    },
    show(next) {
      keep();
      known = next;
      absent = undefined;
      begin(next, kept?.scanner === next.scanner ? kept.wishes : {});
    },
    showAgain(next) {
      if (!shown) return settings.show(next);
      known = next;
      change(shownAgain(next, choices, fixed(), shown));
    },
    say(key) {
      keep();
      known = shown = undefined;
      absent = key;
      context.changed();
    },
    takeArea(area) {
      if (!shown) return;
      opensArea = area !== undefined;
      const { area: _, ...others } = shown.wishes;
      change({ wishes: { ...others, ...(area && { source: 'Flatbed', area }) } });
    },
    chooseProfile(name) {
      choices.chooseProfile(name);
      if (known) begin(known, {});
    },
    set(name, value) {
      if (!shown) return;
      if (shown.profileName === '') choices.set(name, value);
      const chosen = { [name]: value };
      change({ wanted: { ...shown.wanted, ...chosen }, values: { ...shown.values, ...chosen } });
      // The later choice counts: an area replaces the page size.
      if (name === 'pageSize') settings.wish('area', undefined);
    },
    wish(name, value) {
      if (!shown) return;
      const { [name]: _, ...others } = shown.wishes;
      const wishes: ControlParameters = value === undefined ? others : { ...others, [name]: value };
      const { sources } = detailsIn(shown.can);
      const { area: limits } = detailsOf(sources, sourceOf(sources, wishes));
      const isOther = name === 'source' && wishes.area && limits;
      change({ wishes: isOther ? { ...wishes, area: fitted(wishes.area, limits) } : wishes });
    },
    setDriverOption(name, value) {
      settings.wish('driverOptions', withOption(shown?.wishes.driverOptions, name, value));
    },
    setSwitch(offer, isOn) {
      if (shown) changePlugins(withSwitch(shown.plugins, offer, { isOn }));
    },
    setPluginOption(offer, name, value) {
      if (!shown) return;
      const options = withOption(switchIn(shown.plugins, offer).options, name, value);
      changePlugins(withSwitch(shown.plugins, offer, { options }));
    },
    setReader(kind, name) {
      if (shown) changePlugins({ ...shown.plugins, readers: { ...shown.plugins.readers, [kind]: name } });
    },
  };
  return settings;
}

/** `200 dpi · Color · PNG` */
function digestOf(shown: Shown, fixed: StartParameters, words: Words): string {
  const { chosen } = formatsFor(shown, fixed);
  const { resolution, colorMode, imageFormat } = { ...shown.values, imageFormat: chosen, ...fixed };
  return [valueWord(words, resolution, 'resolution'), valueWord(words, colorMode), imageFormat.toUpperCase()].join(
    ' · ',
  );
}
