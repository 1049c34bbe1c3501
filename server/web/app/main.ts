/** Assembles the page: the scanners on one side, their pages on the other. */
import type { Scanner } from '../client.js';
import { announce } from './announcer.js';
import { byId } from './element.js';
import { createFacts } from './facts.js';
import { showHealth } from './health.js';
import { createJob, type JobOptions } from './job.js';
import { clear, show, showFailure } from './notices.js';
import { createPageList, numberOf, type Sheet } from './pageList.js';
import { isSaved, saveAll, saveOne } from './saving.js';
import { createScannerChoice } from './scannerChoice.js';
import { createService, type Installed } from './service.js';
import { createSettings } from './settings.js';
import { createStage } from './stage.js';
import { createStrip } from './strip.js';
import { createTray } from './tray.js';
import { createViewer } from './viewer.js';
import { countOf } from './words.js';

const service = createService();
const settings = createSettings();
const choice = createScannerChoice(scanner => void choose(scanner));
const list = createPageList(draw);
const viewer = createViewer(list, save);
const strip = createStrip(list);
const stage = createStage({ list, onOpen: viewer.open, onSave: save, onRemove: sheet => remove([sheet]) });
const facts = createFacts(list);
const tray = createTray(service, () => under === 'auto');
const job = createJob({ service, onPages: list.add, onState });

const scanButton = byId('scan', HTMLButtonElement);
const autoButton = byId('auto', HTMLButtonElement);
let installed: Installed = { scanners: [], formats: ['Png'], barcodes: false, text: false };
let under: 'scan' | 'auto' | undefined;

function draw(): void {
  const count = list.all.length;
  byId('count', HTMLElement).textContent = count ? String(count) : '';
  byId('tools', HTMLElement).hidden = count === 0;
  byId('work', HTMLElement).hidden = count === 0;
  byId('empty', HTMLElement).hidden = count > 0;
  strip.show();
  stage.show();
  facts.show();
  viewer.renew();
}

function save(sheet: Sheet): void {
  saveOne(sheet, numberOf(list, sheet));
}

function remove(sheets: readonly Sheet[]): void {
  const undo = list.remove(sheets);
  byId('pages', HTMLElement).focus();
  show('note', { title: `${countOf(sheets.length, 'page')} removed`, action: { text: 'Undo', run: undo } });
}

function onState(kind: 'scan' | 'auto' | undefined): void {
  under = kind;
  enable();
  if (!kind) void showHealth(service);
}

/** Whether Scan can be pressed, and why not. */
function enable(): void {
  const kind = under;
  const { chosen } = choice;
  const ready = chosen !== undefined && settings.parameters !== undefined;
  byId('fields', HTMLFieldSetElement).disabled = kind !== undefined;
  scanButton.disabled = !ready;
  // Not `disabled`: a disabled button loses the focus.
  scanButton.setAttribute('aria-disabled', String(kind !== undefined));
  autoButton.disabled = kind === 'scan' || (kind === undefined && (!ready || !chosen.hasFeeder));
  byId('empty-text', HTMLElement).textContent = kind ? waiting[kind] : emptyText(chosen);
  document.body.dataset['under'] = kind ?? 'nothing';
  autoButton.setAttribute('aria-pressed', String(kind === 'auto'));
  byId('actions-hint', HTMLElement).textContent =
    ready && !chosen.hasFeeder ? 'Auto-scan needs a scanner with a feeder.' : '';
}

const takesInsertions = (name: string): boolean =>
  installed.scanners.some(each => each.name === name && each.takesInsertions);

const waiting = {
  scan: 'Pages appear here when the scan is finished.',
  auto: 'Each page appears here as soon as it is scanned.',
} as const;

function emptyText(scanner: Scanner | undefined): string {
  if (!scanner) return 'Choose a scanner, insert your paper, and press Scan.';
  const { name, hasFeeder } = scanner;
  if (takesInsertions(name))
    return `${name} is simulated. Press Scan to try it, or drop an image onto this page to use it as paper.`;
  return `${hasFeeder ? 'Insert your paper into' : 'Place your paper on the flatbed of'} ${name}, and press Scan.`;
}

async function choose(scanner: Scanner): Promise<void> {
  const { name } = scanner;
  tray.show(takesInsertions(name) ? name : undefined);
  settings.say('Reading what the scanner can do…');
  enable();
  try {
    const capabilities = await service.capabilities(name);
    if (choice.chosen === scanner) settings.show(capabilities, installed);
  } catch (error) {
    if (choice.chosen !== scanner) return;
    settings.say('Could not read what the scanner can do.');
    await showFailure(error, async () => (await service.diagnose()).findings);
  }
  enable();
}

function sayNone(title: string, text: string): void {
  choice.say(title, text);
  settings.say('Choose a scanner to see its settings.');
  tray.show(undefined);
}

async function look(): Promise<void> {
  clear('alert');
  choice.wait();
  void showHealth(service);
  try {
    const [scanners, known] = await Promise.all([service.listScanners(), service.installed()]);
    installed = known;
    choice.show(scanners);
    if (scanners.length > 0) return announce(`${countOf(scanners.length, 'scanner')} found`);
    sayNone('No scanner was found.', 'Connect one and switch it on, or install its driver. Then press “Refresh”.');
  } catch (error) {
    sayNone('Could not list the scanners.', 'The message says why.');
    await showFailure(error, async () => (await service.diagnose()).findings);
  }
  enable();
}

function options(): JobOptions | undefined {
  const { chosen } = choice;
  const { parameters } = settings;
  return chosen && parameters && { scanner: chosen.name, parameters, takesInsertions: takesInsertions(chosen.name) };
}

byId('panel', HTMLFormElement).addEventListener('submit', event => {
  event.preventDefault();
  const wanted = options();
  if (wanted) void job.scan(wanted);
});
autoButton.addEventListener('click', () => {
  if (under === 'auto') return job.end();
  const wanted = options();
  if (wanted) void job.autoScan(wanted);
});
byId('refresh', HTMLButtonElement).addEventListener('click', () => void look());
byId('save-all', HTMLButtonElement).addEventListener('click', () => void saveAll(list.all).catch(showFailure));
byId('clear', HTMLButtonElement).addEventListener('click', () => remove(list.all));
addEventListener('beforeunload', event => {
  if (under || !list.all.every(isSaved)) event.preventDefault();
});
byId('settings', HTMLDetailsElement).open = matchMedia('(min-width: 60rem)').matches;

void look();
