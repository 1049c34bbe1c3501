/** The page: the scanning component, and around it the service's health, the tray, what is known of the scanner, licences, the language and the theme. */
import type { Key } from '@platen/client/component';
import { chosenLanguage, languageMenu, showWords } from '../shared/language.js';
import { themeButton } from '../shared/theme.js';
import { showAbout } from './about.js';
import { askHealth, keepAsking, showHealth } from './health.js';
import { showLicences } from './licences.js';
import { scan } from './page.js';
import { installed, type Installed } from './service.js';
import { showTray } from './tray.js';
import { loadWords, type Words } from './words.js';

// Before it is an element of ours: it speaks at once.
const chosen = chosenLanguage();
if (chosen !== undefined) scan.lang = chosen;
await customElements.whenDefined('platen-scan');
const { languages } = scan.constructor as unknown as { readonly languages: readonly string[] };
languageMenu(languages, language => (scan.lang = language));
const showTheme = themeButton(theme => scan.words(`app.theme.${theme}`));

let facts: Installed = { scanners: [], keepsPages: true, licences: [] };
/** Those beside the component's; undefined until they are loaded. */
let own: Words | undefined;
/** The language, the scanner, what it does, and whether the service answers: what the page around the component shows. */
let shown: readonly unknown[] = [];
let asked: unknown;

function show(): void {
  const { words, chosenScanner, activity, isReconnecting } = scan;
  // They are being loaded.
  if (words.language === '') return;
  const name = chosenScanner?.name;
  // The list of scanners was read again.
  if (chosenScanner !== asked) void ask();
  asked = chosenScanner;
  const now = [words.language, name, activity, isReconnecting, facts, own];
  if (now.every((each, at) => each === shown[at])) return;
  const [language, , before, wasReconnecting] = shown;
  shown = now;
  document.body.dataset['under'] = activity ?? 'nothing';
  if (language !== words.language) {
    showWords<Key>(words);
    document.title = words('app.document-title');
    showTheme();
    showHealth();
    void speak(words.language).catch(() => undefined);
  }
  showTray(facts.scanners.some(each => each.name === name && each.takesInsertions) ? name : undefined);
  showAbout(name, own);
  showLicences(facts.licences, own);
  // The list of scanners may have been lost with the connection.
  if ((wasReconnecting ?? false) !== isReconnecting) void ask();
  else if (before !== activity && activity === undefined) void askHealth();
}

async function speak(language: string): Promise<void> {
  const loaded = await loadWords([language]);
  if (language !== scan.words.language) return;
  own = loaded;
  show();
}

async function ask(): Promise<void> {
  void askHealth();
  facts = await installed().catch(() => facts);
  show();
}

scan.addEventListener('platen-change', show);
addEventListener('beforeunload', event => {
  const { activity = 'preview', pages } = scan;
  if (!facts.keepsPages && (activity !== 'preview' || pages.some(({ isSaved }) => !isSaved))) event.preventDefault();
});
/** Licences end, even if the page stays open for days. */
const LICENCES_MS = 3_600_000;
setInterval(() => document.hidden || void ask(), LICENCES_MS);
keepAsking(() => void scan.refresh());
show();
