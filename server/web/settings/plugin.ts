/** The card of a plugin: its switch, its options, and what it found for them. */
import { PlatenError } from '@platen/client';
import { button, element, fill } from '../shared/element.js';
import { shown, titleOf, withFound, withOption, type Draft } from './draft.js';
import { field } from './fields.js';
import type { Found, PluginSettings } from './state.js';
import type { Words } from './words.js';

export interface CardParts {
  readonly words: Words;
  /** Of the plugin among the others. */
  readonly at: number;
  readonly plugin: PluginSettings;
  readonly isOpen: boolean;
  draft(): Draft;
  /** @param isNewForm the card must be made again */
  onDraft(draft: Draft, isNewForm?: boolean): void;
  onOpen(isOpen: boolean): void;
  find(): Promise<readonly Found[]>;
  onFailure(error: unknown): void;
}

export function pluginCard(parts: CardParts): HTMLElement {
  const { words, at, plugin, isOpen, draft } = parts;
  const state = draft().enabled === plugin.enabled ? plugin.state : draft().enabled ? 'loaded' : 'disabled';
  const card = element(
    'details',
    { class: 'card', open: isOpen, 'data-plugin': plugin.use },
    element(
      'summary',
      { id: `plugin-${at}` },
      element('span', { class: 'name', dir: 'ltr' }, plugin.use),
      element('span', { class: 'state', 'data-state': state }, words(`settings.state.${state}`)),
    ),
    element(
      'div',
      { class: 'inside' },
      plugin.sentence !== undefined && element('p', { class: 'sentence', lang: 'en', dir: 'ltr' }, plugin.sentence),
      switchOf(parts),
      ...options(parts),
    ),
  );
  card.addEventListener('toggle', () => parts.onOpen(card.open));
  return card;
}

function switchOf({ words, at, plugin, draft, onDraft }: CardParts): HTMLElement {
  const id = `plugin-${at}-enabled`;
  const isFixed = plugin.fixed.includes('enabled');
  const box = element('input', {
    ...{ type: 'checkbox', role: 'switch', id, disabled: isFixed },
    'aria-describedby': isFixed ? `${id}-hint` : undefined,
  });
  box.checked = draft().enabled;
  box.addEventListener('change', () => onDraft({ ...draft(), enabled: box.checked }));
  const label = element(
    'label',
    { for: id },
    words('settings.on'),
    element('span', { class: 'unseen' }, ` ${plugin.use}`),
  );
  const why = isFixed && element('p', { class: 'hint', id: `${id}-hint` }, words('settings.fixed'));
  return element('div', { class: 'field' }, element('div', { class: 'check' }, box, label), why);
}

function options(parts: CardParts): readonly (HTMLElement | false)[] {
  const { words, at, plugin, draft, onDraft } = parts;
  const properties = Object.entries(plugin.optionsSchema?.properties ?? {});
  if (properties.length === 0)
    return [element('p', { class: 'soft' }, words(plugin.state === 'disabled' ? 'settings.off' : 'settings.none'))];
  const fields = properties.map(([name, schema]) => {
    const made = field({
      words,
      id: `plugin-${at}-${name}`,
      ...{ name, schema, value: shown(plugin, draft(), name), isFixed: plugin.fixed.includes(name) },
      onChange: (value, isNewForm) => onDraft(withOption(plugin, draft(), name, value), isNewForm),
    });
    const isReset = Object.hasOwn(draft().options, name) && draft().options[name] === undefined;
    if (plugin.own.includes(name) && !plugin.fixed.includes(name) && !isReset)
      made.append(
        button(
          words('settings.reset'),
          () => onDraft({ ...draft(), options: { ...draft().options, [name]: undefined } }, true),
          { class: 'ghost small', label: words('settings.reset-which', { option: titleOf(name, schema) }) },
        ),
      );
    return made;
  });
  return [...fields, plugin.finds && plugin.state === 'loaded' && finding(parts)];
}

/** Looks for what options may name, and offers it. */
function finding({ words, plugin, draft, onDraft, find, onFailure }: CardParts): HTMLElement {
  const place = element('div', { role: 'status' });
  const search = async (): Promise<void> => {
    fill(place, words('settings.finding'));
    try {
      const found = await find();
      const using = (each: Found): HTMLElement =>
        button(words('settings.found.use'), () => onDraft(withFound(plugin, draft(), each), true), {
          class: 'ghost small',
          label: words('settings.found.use-which', { which: each.title }),
        });
      const list = found.map(each => element('li', {}, element('span', { dir: 'auto' }, each.title), using(each)));
      fill(place, list.length > 0 ? element('ul', { class: 'found' }, list) : words('settings.found.none'));
    } catch (error) {
      const isPlugins = error instanceof PlatenError && error.code === 'bad-request';
      fill(place, isPlugins && element('p', { class: 'fault', lang: 'en', dir: 'ltr' }, error.message));
      if (!isPlugins) onFailure(error);
    }
  };
  return element(
    'div',
    { class: 'finding' },
    button(words('settings.find'), () => void search()),
    place,
  );
}
