/** The page on which the person says which web pages may scan: it asks the service each second what there is to show. */
import { PlatenError } from '@platen/client';
import { byId, element, fill } from '../shared/element.js';
import { chosenLanguage, languageMenu, showWords } from '../shared/language.js';
import { keepPass } from '../shared/pass.js';
import { themeButton } from '../shared/theme.js';
import { targetIn } from './address.js';
import { askList, headingId, originText } from './asks.js';
import { allowing, refusing, type Choices } from './choices.js';
import { answered, entriesAfter, type Entry } from './entries.js';
import { changeId, formId, grantList } from './grants.js';
import { checkFocus } from './pressing.js';
import { give, readState, revoke, type Grant, type State } from './state.js';
import { languages, loadWords, type Words } from './words.js';
import type { Key } from './words/en.js';

const POLL_MS = 1000;
/** Long enough to read the answer. */
const CLOSE_MS = 1500;

/** `away` and `token` end by themselves; a message of the service stays until the next action. */
type Problem = 'away' | 'token' | { readonly message: string };

let words: Words;
let state: State | undefined;
let entries: readonly Entry[] = [];
let changed: string | undefined;
let problem: Problem | undefined;
/** The question to which a web page sent the person. */
let wanted = takeTarget();
let isWantedNew = true;
let asked = 0;
let timer: ReturnType<typeof setTimeout> | undefined;

const drawAsks = askList(byId('asks', HTMLElement));
const drawGrants = grantList(byId('grants', HTMLElement));
const showTheme = themeButton(theme => words(`origins.theme.${theme}`));

/** A token does not stay in the address, nor in the history. */
function takeTarget(): string | undefined {
  const { token, id } = targetIn(location.hash);
  if (token !== undefined) {
    keepPass(token);
    history.replaceState(null, '', location.pathname);
  }
  return id;
}

function draw(): void {
  byId('main', HTMLElement).setAttribute('aria-busy', String(state === undefined && problem === undefined));
  drawProblem();
  for (const part of document.querySelectorAll<HTMLElement>('[data-needs-state]')) part.hidden = state === undefined;
  if (!state) return;
  const { mode, grants } = state;
  byId('mode', HTMLElement).dataset['mode'] = mode;
  byId('mode-title', HTMLElement).textContent = words(`origins.mode.${mode}`);
  byId('mode-text', HTMLElement).textContent = words(`origins.mode.${mode}.text`);

  drawAsks(entries, { words, state, onAnswer: (entry, isYes) => void answer(entry, isYes) });
  const isGone = wanted !== undefined && !entries.some(each => each.asked.id === wanted);
  byId('gone', HTMLElement).hidden = !isGone;
  byId('asking', HTMLElement).hidden = mode !== 'ask' && entries.length === 0 && !isGone;
  byId('asks-none', HTMLElement).hidden = entries.length > 0 || isGone;

  drawGrants({ words, state, changed, onChange, onAnswer: onChanged, onRevoke: grant => void takeBack(grant) });
  byId('grants-none', HTMLElement).hidden = grants.length > 0;
  byId('grants-unused', HTMLElement).hidden = mode === 'ask' || grants.every(({ by }) => by === 'configuration');
}

function drawProblem(): void {
  const place = byId('problem', HTMLElement);
  const shows = JSON.stringify([words.language, problem]);
  if (place.dataset['shows'] === shows) return;
  place.dataset['shows'] = shows;
  place.hidden = problem === undefined;
  if (problem === 'away') fill(place, words('origins.away'));
  else if (problem === 'token')
    fill(place, words('origins.token'), element('code', { dir: 'ltr' }, 'platen origins link'));
  else if (problem)
    fill(place, words('origins.failed'), ' ', element('span', { lang: 'en', dir: 'ltr' }, problem.message));
  else fill(place);
}

function problemOf(error: unknown): Problem {
  if (error instanceof PlatenError && error.code === 'token-required') return 'token';
  if (error instanceof PlatenError && error.code === 'no-answer') return 'away';
  return { message: error instanceof Error ? error.message : String(error) };
}

async function look(): Promise<void> {
  clearTimeout(timer);
  const mine = ++asked;
  checkFocus();
  const next = await readState().catch(problemOf);
  // A later request is under way or has been answered.
  if (mine !== asked) return;
  if (typeof next === 'object' && 'mode' in next) take(next);
  else problem = next;
  draw();
  if (isWantedNew && state) focusWanted();
  if (document.visibilityState === 'visible') timer = setTimeout(() => void look(), POLL_MS);
}

function take(next: State): void {
  const before = new Set(entries.map(({ asked: { id } }) => id));
  const isFirst = state === undefined;
  state = next;
  if (problem === 'away' || problem === 'token') problem = undefined;
  entries = entriesAfter(entries, next, wanted);
  if (changed !== undefined && !next.grants.some(({ origin }) => origin === changed)) changed = undefined;
  const [first] = entries.filter(each => !before.has(each.asked.id));
  if (first && !isFirst) say('origins.said.asks', first.asked.origin);
}

function focusWanted(): void {
  isWantedNew = false;
  if (wanted === undefined) return;
  document.getElementById(headingId(wanted))?.focus();
}

/** Read by screen readers, and shown. */
function say(sentence: Key & `origins.said.${string}`, origin: string): void {
  const place = byId('said', HTMLElement);
  // The origin in its own direction, whole.
  const [before = '', after = ''] = words(sentence, { origin: '\n' }).split('\n');
  fill(place, before, originText(origin), after);
}

/** @returns whether the service did it */
async function act(call: () => Promise<unknown>): Promise<boolean> {
  problem = undefined;
  const failed = await call().then(() => undefined, problemOf);
  problem = failed;
  draw();
  void look();
  return failed === undefined;
}

async function answer(entry: Entry, isYes: boolean): Promise<void> {
  const { id, origin } = entry.asked;
  if (!(await act(() => give(isYes ? allowing(entry.choices, Date.now()) : refusing(entry.choices))))) return;
  entries = answered(entries, id, isYes ? 'allowed' : 'refused');
  say(isYes ? 'origins.said.allowed' : 'origins.said.refused', origin);
  draw();
  document.getElementById(headingId(id))?.focus();
  // A web page opened this tab for the question; others that wait keep it open.
  const isOpenedForIt = id === wanted && history.length === 1;
  if (isOpenedForIt && entries.every(each => each.state !== 'open')) setTimeout(() => close(), CLOSE_MS);
}

function onChange(origin: string | undefined): void {
  const was = changed;
  changed = origin;
  draw();
  const at = state?.grants.findIndex(each => each.origin === was) ?? -1;
  document.getElementById(origin === undefined ? changeId(at) : formId)?.focus();
}

function onChanged(choices: Choices, isYes: boolean): void {
  const { origin } = choices;
  void act(() => give(isYes ? allowing(choices, Date.now()) : refusing(choices))).then(isDone => {
    if (!isDone) return;
    say(isYes ? 'origins.said.allowed' : 'origins.said.refused', origin);
    onChange(undefined);
  });
}

async function takeBack({ origin, may }: Grant): Promise<void> {
  if (!(await act(() => revoke(origin)))) return;
  say(may.length > 0 ? 'origins.said.revoked' : 'origins.said.forgotten', origin);
  byId('grants-title', HTMLElement).focus();
}

async function speak(wantedLanguages: readonly string[]): Promise<void> {
  words = await loadWords(wantedLanguages);
  showWords(words);
  document.title = words('origins.document-title');
  fill(byId('said', HTMLElement));
  showTheme();
  draw();
}

languageMenu(languages, language => void speak([language]));
addEventListener('hashchange', () => {
  wanted = takeTarget();
  isWantedNew = true;
  entries = state ? entriesAfter(entries, state, wanted) : entries;
  void look();
});
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') void look();
});
const chosen = chosenLanguage();
await speak(chosen === undefined ? navigator.languages : [chosen]);
await look();
