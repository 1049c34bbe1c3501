/** The page on which the person for whom `platen settings` runs changes the options of plugins. */
import { PlatenError } from '@platen/client';
import { byId, element, fill } from '../shared/element.js';
import { chosenLanguage, languageMenu, showWords } from '../shared/language.js';
import { themeButton } from '../shared/theme.js';
import { differenceTable } from './differences.js';
import { changeOf, draftOf, type Draft } from './draft.js';
import { pluginCard } from './plugin.js';
import { find, preview, readState, save, takeKey, type Change, type PluginSettings, type State } from './state.js';
import { languages, loadWords, type Words } from './words.js';

let words: Words;
let state: State | undefined;
let problem: unknown;
const drafts = new Map<string, Draft>();
const open = new Set<string>();
let digest = '';

const showTheme = themeButton(theme => words(`settings.theme.${theme}`));
const dialog = byId('changes', HTMLDialogElement);
/** Those that can never run here come last. */
const plugins = (): readonly PluginSettings[] =>
  (state?.plugins ?? []).toSorted((a, b) => Number(a.state === 'skipped') - Number(b.state === 'skipped'));
const draftFor = (plugin: PluginSettings): Draft => drafts.get(plugin.use) ?? draftOf(plugin);

function changes(): readonly Change[] {
  return plugins().flatMap(plugin => changeOf(plugin, draftFor(plugin)) ?? []);
}

function draw(): void {
  byId('main', HTMLElement).setAttribute('aria-busy', String(state === undefined && problem === undefined));
  drawProblem();
  byId('content', HTMLElement).hidden = state === undefined;
  byId('file', HTMLElement).textContent = words('settings.file', { file: state?.file ?? '' });
  fill(byId('plugins', HTMLElement), ...plugins().map(cardOf));
  drawCount();
}

function drawProblem(): void {
  const place = byId('problem', HTMLElement);
  place.hidden = problem === undefined;
  if (problem === undefined) return fill(place);
  if (problem instanceof PlatenError && problem.code === 'token-required')
    return fill(place, words('settings.key'), element('code', { dir: 'ltr' }, 'platen settings'));
  if (problem instanceof PlatenError && problem.code === 'no-answer') return fill(place, words('settings.away'));
  const message = problem instanceof Error ? problem.message : String(problem);
  fill(place, words('settings.failed'), ' ', element('span', { lang: 'en', dir: 'ltr' }, message));
}

function cardOf(plugin: PluginSettings, at: number): HTMLElement {
  const { use } = plugin;
  return pluginCard({
    words,
    at,
    plugin,
    isOpen: open.has(use),
    draft: () => draftFor(plugin),
    onDraft(draft, isNewForm = false) {
      drafts.set(use, draft);
      drawCount();
      if (isNewForm) redraw(plugin, at);
    },
    onOpen: isOpen => void (isOpen ? open.add(use) : open.delete(use)),
    find: () => find(use),
    onFailure: error => fail(error),
  });
}

/** Makes a card again; what had the focus has it again, or what stands in its place. */
function redraw(plugin: PluginSettings, at: number): void {
  const old = document.querySelector(`[data-plugin="${CSS.escape(plugin.use)}"]`);
  if (!old) return;
  const all = (within: Element): HTMLElement[] => [
    ...within.querySelectorAll<HTMLElement>('summary, input, select, textarea, button'),
  ];
  const place = all(old).indexOf(document.activeElement as HTMLElement);
  const made = cardOf(plugin, at);
  old.replaceWith(made);
  const next = all(made);
  next[Math.min(place, next.length - 1)]?.focus();
}

function drawCount(): void {
  const count = changes().reduce(
    (sum, { enabled, options = {}, unset = [] }) =>
      sum + (enabled === undefined ? 0 : 1) + Object.keys(options).length + unset.length,
    0,
  );
  byId('actions', HTMLElement).hidden = count === 0;
  byId('count', HTMLElement).textContent = words('settings.count', { count });
}

/** Of what the service refuses, the dialog tells; of all else, the page. */
function refuse(error: unknown): boolean {
  const isRefused = error instanceof PlatenError && error.code === 'bad-request';
  byId('refused', HTMLElement).textContent = isRefused ? error.message : '';
  byId('refused', HTMLElement).hidden = !isRefused;
  if (isRefused) byId('save', HTMLButtonElement).hidden = true;
  return isRefused;
}

function openDialog(): void {
  if (!dialog.open) dialog.showModal();
  byId('changes-title', HTMLElement).focus();
}

function fail(error: unknown): void {
  dialog.close();
  problem = error;
  drawProblem();
  byId('problem', HTMLElement).scrollIntoView({ block: 'nearest' });
}

async function load(): Promise<void> {
  try {
    state = await readState();
    problem = undefined;
  } catch (error) {
    problem = error;
    if (error instanceof PlatenError && error.code === 'token-required') state = undefined;
  }
  draw();
}

/** A control whose text is no value yet: it is not among the changes. */
function unfinished(): HTMLElement | undefined {
  return [...document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('#plugins :is(input, textarea)')].find(
    control => control.validity.badInput || control.getAttribute('aria-invalid') === 'true',
  );
}

async function look(): Promise<void> {
  const control = unfinished();
  if (control) {
    control.closest('details')?.setAttribute('open', '');
    control.focus();
    return;
  }
  refuse(undefined);
  fill(byId('said', HTMLElement));
  try {
    const shown = await preview(changes());
    digest = shown.digest;
    problem = undefined;
    drawProblem();
    fill(byId('differences', HTMLElement), differenceTable(shown, plugins(), words));
    byId('save', HTMLButtonElement).hidden = shown.problems.length > 0 || shown.differences.length === 0;
    openDialog();
  } catch (error) {
    if (!refuse(error)) return fail(error);
    fill(byId('differences', HTMLElement));
    openDialog();
  }
}

async function keep(): Promise<void> {
  const button = byId('save', HTMLButtonElement);
  button.disabled = true;
  try {
    const { changes: done, faults } = await save(changes(), digest);
    drafts.clear();
    const lines = [...done, ...faults].map(each => element('li', { lang: 'en', dir: 'ltr' }, each));
    dialog.close();
    await load();
    fill(byId('said', HTMLElement), element('p', {}, words('settings.saved')), element('ul', {}, lines));
    byId('main', HTMLElement).focus();
    byId('said', HTMLElement).scrollIntoView({ block: 'nearest' });
  } catch (error) {
    if (!refuse(error)) fail(error);
  } finally {
    button.disabled = false;
  }
}

function discard(): void {
  drafts.clear();
  draw();
  byId('main', HTMLElement).focus();
}

async function speak(wanted: readonly string[]): Promise<void> {
  words = await loadWords(wanted);
  showWords(words);
  document.title = words('settings.document-title');
  fill(byId('said', HTMLElement));
  showTheme();
  draw();
}

takeKey();
languageMenu(languages, language => void speak([language]));
byId('look', HTMLButtonElement).addEventListener('click', () => void look());
byId('discard', HTMLButtonElement).addEventListener('click', discard);
byId('back', HTMLButtonElement).addEventListener('click', () => dialog.close());
byId('save', HTMLButtonElement).addEventListener('click', () => void keep());
addEventListener('hashchange', () => {
  takeKey();
  void load();
});
addEventListener('beforeunload', event => {
  if (changes().length > 0) event.preventDefault();
});
const chosen = chosenLanguage();
await speak(chosen === undefined ? navigator.languages : [chosen]);
await load();
