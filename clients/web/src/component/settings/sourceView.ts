/** The controls of a scan that depend on its source: shown only where the source or software does something. */
import { nothing, type TemplateResult } from 'lit-html';
import type { ControlParameters, DriverOption } from '../../client/shapes.js';
import type { Context } from '../context.js';
import { button } from '../pieces/button.js';
import { fold, numberField, segments, slider, type Drawn } from '../pieces/controls.js';
import { areaFields } from './area/areaFields.js';
import { detailsIn } from './offers.js';
import { optionControl } from './optionView.js';
import { isFixed, isPartFixed, wished, type Shown } from './parameters.js';
import { idOf } from './pluginsView.js';
import type { Settings } from './settings.js';
import { ranges } from './settingValues.js';
import { sizeWord } from './settingWords.js';
import { detailsOf, hasBoth, shownOptions, sourceOf } from './sourceDetails.js';

/** Each is nothing if the source, software and the embedder leave nothing to choose. */
export interface SourceControls {
  readonly source: Drawn;
  readonly preview: Drawn;
  readonly area: Drawn;
  readonly sheets: Drawn;
  readonly light: Drawn;
  readonly driverOptions: Drawn;
}

export function sourceControls(settings: Settings, shown: Shown, { words }: Context): SourceControls {
  const fixed = settings.fixed();
  const { profile } = shown;
  const { sources } = detailsIn(shown.can);
  const wishes = wished(shown, fixed);
  const source = sourceOf(sources, wishes);
  const can = detailsOf(sources, source);
  const isBlackAndWhite = (fixed.colorMode ?? shown.values.colorMode) === 'BlackAndWhite';
  const takes = (name: keyof ControlParameters): boolean => !isFixed(fixed, name);

  const chooser = (): TemplateResult =>
    segments(
      (['Auto', 'Feeder', 'Flatbed'] as const).map(value => ({ value, text: words(`settings.source.${value}`) })),
      {
        id: 'control-source',
        label: words('settings.source'),
        value: source,
        onChange: value => settings.wish('source', value),
      },
    );

  const preview = (): TemplateResult =>
    button(words('preview.open'), settings.onPreview, {
      id: 'preview',
      icon: 'scan',
      label: words('preview.open.label'),
    });

  const area = (limits: NonNullable<typeof can.area>): Drawn =>
    fold(
      words('settings.area'),
      [
        areaFields(
          { id: 'control-area', area: () => settings.area, limits, onChange: to => settings.wish('area', to) },
          words,
        ),
        button(words('settings.area.whole'), () => settings.wish('area', undefined), { class: 'small' }),
      ],
      {
        digest: wishes.area ? sizeWord(words, wishes.area) : words('settings.area.whole'),
        opens: settings.opensArea,
      },
    );

  const sheets = (): TemplateResult =>
    numberField({
      id: 'control-sheets',
      label: words('settings.sheets'),
      value: wishes.sheets,
      empty: profile.sheets,
      ...ranges.sheets,
      hint: profile.sheets === undefined ? words('settings.hint.sheets') : undefined,
      onChange: value => settings.wish('sheets', value),
    });

  const level = (name: 'brightness' | 'contrast'): TemplateResult =>
    slider({
      id: `control-${name}`,
      label: words(`settings.${name}`),
      value: wishes[name] ?? 0,
      ...ranges.level,
      written: value => words.number(value),
      onChange: value => settings.wish(name, value),
    });

  const threshold = (): TemplateResult =>
    numberField({
      id: 'control-threshold',
      label: words('settings.threshold'),
      value: wishes.threshold,
      empty: profile.threshold,
      ...ranges.threshold,
      hint: words(
        profile.threshold === undefined ? 'settings.hint.threshold.empty' : 'settings.hint.threshold',
        ranges.threshold,
      ),
      onChange: value => settings.wish('threshold', value),
    });

  const optionOf = (option: DriverOption): TemplateResult =>
    optionControl(
      {
        id: idOf('option', option.name),
        option,
        wish: wishes.driverOptions?.[option.name],
        onChange: value => settings.setDriverOption(option.name, value),
      },
      words,
    );

  function driverOptions(): Drawn {
    const options = shownOptions(can).filter(({ name }) => !isPartFixed(fixed, 'driverOptions', name));
    const [usual = [], advanced = []] = [false, true].map(is =>
      options.filter(each => (each.advanced ?? false) === is).map(optionOf),
    );
    return fold(words('settings.group.options'), [...usual, fold(words('settings.group.advanced'), advanced)]);
  }

  const { controls } = can;
  const levels = (['brightness', 'contrast'] as const).filter(name => controls[name] && takes(name)).map(level);
  const hasThreshold = controls.threshold !== undefined && isBlackAndWhite && takes('threshold');
  const isPreviewed = source !== 'Feeder' && sources.flatbed?.controls.area && sources.flatbed.area && takes('area');
  return {
    source: hasBoth(sources) && takes('source') ? chooser() : nothing,
    preview: isPreviewed ? preview() : nothing,
    area: controls.area && can.area && takes('area') ? area(can.area) : nothing,
    sheets: source !== 'Flatbed' && sources.feeder && takes('sheets') ? sheets() : nothing,
    light: fold(words('settings.group.light'), hasThreshold ? [...levels, threshold()] : levels),
    driverOptions: driverOptions(),
  };
}
