/** The page: the scanning component, and around it the service's health, the tray, the language and the theme. */
import { askHealth, showHealth } from './health.js';
import { showLanguage } from './language.js';
import { scan } from './page.js';
import { installed, type Installed } from './service.js';
import { showTheme } from './theme.js';
import { showTray } from './tray.js';

let facts: Installed = { scanners: [], keepsPages: true };
/** The language, the scanner, and what it does: what the page around the component shows. */
let shown: readonly unknown[] = [];
let asked: unknown;

function show(): void {
  const { words, chosenScanner, activity } = scan;
  // They are being loaded.
  if (words.language === '') return;
  const name = chosenScanner?.name;
  // The list of scanners was read again.
  if (chosenScanner !== asked) void ask();
  asked = chosenScanner;
  const now = [words.language, name, activity, facts];
  if (now.every((each, at) => each === shown[at])) return;
  const [language, , before] = shown;
  shown = now;
  document.body.dataset['under'] = activity ?? 'nothing';
  if (language !== words.language) {
    showLanguage();
    showTheme();
    showHealth();
  }
  showTray(facts.scanners.some(each => each.name === name && each.takesInsertions) ? name : undefined);
  if (before !== activity && activity === undefined) void askHealth();
}

async function ask(): Promise<void> {
  void askHealth();
  facts = await installed().catch(() => facts);
  show();
}

scan.addEventListener('platen-change', show);
addEventListener('beforeunload', event => {
  if (!facts.keepsPages && (scan.activity === 'scan' || scan.pages.length > 0)) event.preventDefault();
});
void askHealth();
show();
