/** What would change, as a table. */
import { element } from '../shared/element.js';
import { titleOf } from './draft.js';
import type { Difference, PluginSettings, Preview } from './state.js';
import type { Words } from './words.js';

/** A list of plain values has one on each line; what has keys is JSON. */
function textOf(value: unknown): string {
  if (Array.isArray(value) && value.every(each => typeof each !== 'object' || each === null))
    return value.map(String).join('\n');
  return typeof value === 'string' ? value : JSON.stringify(value, undefined, 1);
}

export function differenceTable(
  { differences, problems }: Preview,
  plugins: readonly PluginSettings[],
  words: Words,
): HTMLElement {
  const seen = (value: unknown): HTMLElement => {
    if (value === undefined) return element('em', {}, words('settings.changes.default'));
    if (value === '' || (Array.isArray(value) && value.length === 0))
      return element('em', {}, words('settings.changes.empty'));
    if (typeof value === 'boolean')
      return element('span', {}, words(value ? 'settings.value.on' : 'settings.value.off'));
    return element('code', { dir: 'ltr' }, textOf(value));
  };
  const head = (['option', 'before', 'after'] as const).map(key =>
    element('th', { scope: 'col' }, words(`settings.changes.${key}`)),
  );
  const titleIn = ({ use, option }: Difference): string => {
    const { optionsSchema: schema } = plugins.find(each => each.use === use) ?? {};
    return option === undefined ? words('settings.on') : titleOf(option, schema?.properties?.[option]);
  };
  const groups = [...new Set(differences.map(({ use }) => use))].map(use =>
    element(
      'tbody',
      {},
      element('tr', {}, element('th', { scope: 'rowgroup', colspan: 3 }, element('bdi', { dir: 'ltr' }, use))),
      differences
        .filter(each => each.use === use)
        .map(each => {
          const cells = [element('bdi', {}, titleIn(each)), seen(each.before), seen(each.after)];
          return element(
            'tr',
            {},
            cells.map(cell => element('td', {}, cell)),
          );
        }),
    ),
  );
  return element(
    'div',
    {},
    problems.map(({ use, sentence }) =>
      element('p', { class: 'problem', lang: 'en', dir: 'ltr' }, element('strong', {}, `${use}:`), ` ${sentence}`),
    ),
    groups.length === 0 && problems.length === 0 && element('p', {}, words('settings.changes.none')),
    groups.length > 0 && element('table', {}, element('thead', {}, element('tr', {}, head)), groups),
  );
}
