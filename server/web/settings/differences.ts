/** What would change, as a table. */
import { element } from '../shared/element.js';
import { titleOf } from './draft.js';
import type { PluginSettings, Preview } from './state.js';
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
  const head = (['plugin', 'option', 'before', 'after'] as const).map(key =>
    element('th', { scope: 'col' }, words(`settings.changes.${key}`)),
  );
  const rows = differences.map(({ use, option, before, after }) => {
    const schema = plugins.find(each => each.use === use)?.optionsSchema;
    const title = option === undefined ? words('settings.on') : titleOf(option, schema?.properties?.[option]);
    const cells = [element('span', { dir: 'ltr' }, use), title, seen(before), seen(after)];
    return element(
      'tr',
      {},
      cells.map(each => element('td', {}, each)),
    );
  });
  return element(
    'div',
    {},
    problems.map(({ use, sentence }) =>
      element('p', { class: 'problem', lang: 'en', dir: 'ltr' }, element('strong', {}, use), ` ${sentence}`),
    ),
    rows.length === 0 && problems.length === 0 && element('p', {}, words('settings.changes.none')),
    rows.length > 0 && element('table', {}, element('thead', {}, element('tr', {}, head)), element('tbody', {}, rows)),
  );
}
