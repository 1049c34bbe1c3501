/** The controls of a scan that depend on its source: shown only where the source or software does something. */
import type { Area, CapabilityDetails, ControlParameters, DriverOption, SourceDetails } from '../client.js';
import { createAreaFields } from './areaFields.js';
import { fitted, sizeOf } from './areaGeometry.js';
import { foldedOf, numberOf, segmentsOf, sliderOf, type Control } from './controls.js';
import { button, element, fill } from './element.js';
import { optionControl } from './optionControls.js';
import { controlLabels } from './settingValues.js';
import { changesFor, detailsOf, hasBoth, shownOptions, sourceOf, type Source } from './sourceDetails.js';

export interface SourceControls {
  /** Undefined for a scanner with one source. */
  readonly source: HTMLElement | undefined;
  /** Which part of the paper, and how much of it. */
  readonly paper: HTMLElement;
  /** How light pages are, and the driver's options. */
  readonly look: HTMLElement;
  /** What to send. */
  readonly changes: ControlParameters;
  /** All of it, for the same scanner's next controls. */
  readonly wishes: ControlParameters;
  readonly isFlatbed: boolean;
  /** @param area undefined: the whole page */
  setArea(area: Area | undefined): void;
  /** A threshold is for black and white only. */
  setColorMode(mode: string): void;
}

export interface SourceControlsParts {
  readonly sources: CapabilityDetails['sources'];
  /** Of the profile. */
  readonly base: ControlParameters;
  /** What this scanner's controls had before. */
  readonly start: ControlParameters;
  onChange(): void;
  onPreview(): void;
}

const MOST_SHEETS = 10_000;
const sourceWords = { Auto: 'Automatic', Feeder: 'Feeder', Flatbed: 'Flatbed' } as const satisfies Record<
  Source,
  string
>;

export function createSourceControls({
  sources,
  base,
  start,
  onChange,
  onPreview,
}: SourceControlsParts): SourceControls {
  let wishes: ControlParameters = { ...base, ...start };
  let isBlackAndWhite = false;
  let showArea: () => void = () => undefined;
  let showThreshold: () => void = () => undefined;
  const paper = element('div', { class: 'controls' });
  const look = element('div', { class: 'controls' });

  function wish(name: keyof ControlParameters, value: unknown): void {
    const { [name]: _, ...others } = wishes;
    wishes = value === undefined ? others : { ...others, [name]: value };
    onChange();
  }

  function setArea(area: Area | undefined): void {
    wish('area', area);
    showArea();
  }

  function areaOf(can: SourceDetails): HTMLElement | undefined {
    if (!can.controls.area || !can.area) return undefined;
    const fields = createAreaFields(can.area, setArea);
    const word = element('span', { class: 'digest' });
    showArea = () => {
      fields.show(wishes.area);
      word.textContent = wishes.area ? sizeOf(wishes.area) : 'Whole page';
    };
    showArea();
    const clear = button('Whole page', () => setArea(undefined), { class: 'small' });
    const fold = foldedOf(controlLabels.area, fields.node, clear);
    fold?.querySelector('summary')?.append(word);
    fold?.toggleAttribute('open', wishes.area !== undefined);
    return fold;
  }

  function sheetsOf(source: Source): HTMLElement | undefined {
    if (source === 'Flatbed' || !sources.feeder) return undefined;
    const field: Control<number | undefined> = numberOf<number | undefined>(
      controlLabels.sheets,
      base.sheets,
      { minimum: 1, maximum: MOST_SHEETS },
      () => wish('sheets', field.value),
      base.sheets === undefined ? 'The scanner feeds at most this many. Empty: all.' : undefined,
      wishes.sheets,
    );
    return field.node;
  }

  function levelsOf(does: SourceDetails['controls']): HTMLElement[] {
    const sliders = (['brightness', 'contrast'] as const)
      .filter(name => does[name])
      .map(name => {
        const slider: Control<number> = sliderOf(
          controlLabels[name],
          wishes[name] ?? 0,
          { minimum: -100, maximum: 100 },
          () => wish(name, slider.value),
        );
        return slider.node;
      });
    return [...sliders, ...(does.threshold ? [thresholdField()] : [])];
  }

  function thresholdField(): HTMLElement {
    const field: Control<number | undefined> = numberOf<number | undefined>(
      controlLabels.threshold,
      base.threshold,
      { minimum: 0, maximum: 255 },
      () => wish('threshold', field.value),
      `0 to 255: what is darker is black.${base.threshold === undefined ? ' Empty: adapted to the page.' : ''}`,
      wishes.threshold,
    );
    return field.node;
  }

  function driverOptionsOf(can: SourceDetails): HTMLElement | undefined {
    const controlOf = (option: DriverOption): HTMLElement => {
      const { name } = option;
      const control: Control<unknown> = optionControl(option, wishes.driverOptions?.[name], () => {
        const { [name]: _, ...others } = wishes.driverOptions ?? {};
        wish('driverOptions', control.value === undefined ? others : { ...others, [name]: control.value });
      });
      return control.node;
    };
    const options = shownOptions(can);
    const [usual = [], advanced = []] = [false, true].map(is =>
      options.filter(each => (each.advanced ?? false) === is).map(controlOf),
    );
    return foldedOf('Options of this scanner', ...usual, foldedOf('For experts', ...advanced));
  }

  function draw(): void {
    const source = sourceOf(sources, wishes);
    const can = detailsOf(sources, source);
    const isPreviewed = source !== 'Feeder' && sources.flatbed?.controls.area && sources.flatbed.area;
    const preview = isPreviewed && button('Preview', onPreview, { icon: 'scan', label: 'Preview the flatbed' });
    if (preview) preview.id = 'preview';
    fill(paper, preview, areaOf(can), sheetsOf(source));
    const levels = levelsOf(can.controls);
    const light = foldedOf('Brightness and contrast', ...levels);
    showThreshold = () => {
      const threshold = can.controls.threshold ? levels.at(-1) : undefined;
      if (threshold) threshold.hidden = !isBlackAndWhite;
      if (light) light.hidden = levels.every(({ hidden }) => hidden);
    };
    showThreshold();
    fill(look, light, driverOptionsOf(can));
  }

  function chooserOf(): HTMLElement | undefined {
    if (!hasBoth(sources)) return undefined;
    const chooser: Control<Source> = segmentsOf<Source>(
      controlLabels.source,
      (['Auto', 'Feeder', 'Flatbed'] as const).map(value => ({ value, text: sourceWords[value] })),
      wishes.source ?? 'Auto',
      () => {
        wish('source', chooser.value);
        const { area: limits } = detailsOf(sources, chooser.value);
        if (wishes.area && limits) wish('area', fitted(wishes.area, limits));
        draw();
      },
    );
    return chooser.node;
  }

  const source = chooserOf();
  draw();
  return {
    source,
    paper,
    look,
    get changes() {
      return changesFor(sources, wishes, base, isBlackAndWhite);
    },
    get wishes() {
      return wishes;
    },
    get isFlatbed() {
      return sourceOf(sources, wishes) === 'Flatbed';
    },
    setArea,
    setColorMode(mode) {
      isBlackAndWhite = mode === 'BlackAndWhite';
      showThreshold();
    },
  };
}
