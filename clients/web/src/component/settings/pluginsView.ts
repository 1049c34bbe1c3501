/** The switches of recognisers and processors with their options, and the choice of readers. */
import { html, nothing, type TemplateResult } from 'lit-html';
import type { Context } from '../context.js';
import { choice, switchControl, type Drawn } from '../pieces/controls.js';
import { detailsIn } from './offers.js';
import type { DescribedOption } from './options.js';
import { optionControl } from './optionView.js';
import { isPartFixed, type Shown } from './parameters.js';
import { pluginOffers, readersOf, switchIn, type Offer } from './plugins.js';
import type { Settings } from './settings.js';
import { wordOr } from './settingWords.js';

/** Of names by plugins, which may have any character. */
export const idOf = (...names: readonly string[]): string => `control-${names.map(encodeURIComponent).join('-')}`;

export function pluginControls(settings: Settings, { can, plugins }: Shown, { words }: Context): TemplateResult[] {
  const details = detailsIn(can);
  const fixed = settings.fixed();

  const readers = readersOf(details, plugins)
    .filter(({ kind }) => !isPartFixed(fixed, 'readers', kind))
    .map(({ kind, names, chosen }) =>
      choice(
        names.map(value => ({ value, text: value })),
        {
          id: idOf('reader', kind),
          label: wordOr(words, `settings.reader.${kind}`, words('settings.reader.other', { kind })),
          value: chosen,
          onChange: name => settings.setReader(kind, name),
        },
      ),
    );

  function controlsOf(offer: Offer): Drawn[] {
    const { field, name, options: offered } = offer;
    const { isOn, options } = switchIn(plugins, offer);
    const control = switchControl({
      id: idOf(field, name),
      label: wordOr(words, `settings.plugin.${name}`, name),
      value: isOn,
      onChange: value => settings.setSwitch(offer, value),
    });
    const optionOf = (option: DescribedOption): TemplateResult =>
      optionControl(
        {
          id: idOf(field, name, option.name),
          option,
          wish: options[option.name],
          onChange: value => settings.setPluginOption(offer, option.name, value),
        },
        words,
      );
    if (!isOn || offered.length === 0) return [control, nothing];
    return [control, html`<div class="controls suboptions">${offered.map(optionOf)}</div>`];
  }

  const switches = pluginOffers(details, plugins)
    .filter(({ field, name }) => !isPartFixed(fixed, field, name))
    .flatMap(controlsOf);
  return switches.length > 0 ? [...readers, html`<div class="group">${switches}</div>`] : readers;
}
