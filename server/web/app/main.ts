/** Assembles the page: the scanners on one side, their pages on the other. */
import type { Scan, Scanner } from '../client.js';
import type { ActivityKind } from './activity.js';
import { announce } from './announcer.js';
import { byId } from './element.js';
import { showEnding, showRefusal } from './ending.js';
import { createFacts } from './facts.js';
import { follow } from './following.js';
import { showHealth } from './health.js';
import { hold } from './holding.js';
import { createJob, type Followed, type JobOptions } from './job.js';
import { clearOutdated, show, showFailure } from './notices.js';
import { markOf } from './marks.js';
import { keptAt, type Page } from './page.js';
import { createPageList, numberOf, type Sheet } from './pageList.js';
import { isSaved, saveAll, saveOne } from './saving.js';
import { createPdfSaving } from './pdf.js';
import { createScannerChoice } from './scannerChoice.js';
import { createScansHere } from './scansHere.js';
import { separatorSheet } from './separatorSheet.js';
import { createService, type Installed } from './service.js';
import { createPreview } from './preview.js';
import { previewParameters } from './previewRequest.js';
import { createSettings, type Known } from './settings.js';
import { createStage } from './stage.js';
import { createStrip } from './strip.js';
import { createTray } from './tray.js';
import { createViewer } from './viewer.js';
import { createWaitingScans } from './waitingScans.js';
import { countOf } from './words.js';

const service = createService();
const settings = createSettings({
  separatorSheet: separatorSheet(service, error => void fail(error)),
  onChange: () => enable(),
  onPreview: () => void preview(),
});
const choice = createScannerChoice(scanner => void choose(scanner));
const list = createPageList(draw);
const viewer = createViewer(list, save);
const strip = createStrip(list);
const stage = createStage({ list, onOpen: viewer.open, onSave: save, onRemove: sheet => remove([sheet]) });
const facts = createFacts(list);
const tray = createTray(service, () => under === 'auto');
const here = createScansHere();
const waiting = createWaitingScans(service, here, scans => void showScans(scans).catch(fail));
const job = createJob({
  service,
  onPages: addKept,
  onAutoPage: (page, scanner) => list.add([page], { scanner, at: new Date() }, 'last'),
  onScan: begin,
  onEnd: ended,
  onRefused: (scan, error) => showRefusal(error, () => void job.continue(scan)),
  onState,
});

const pdf = createPdfSaving({
  list,
  scanOf: id => here.all.find(scan => scan.id === id),
  isInstalled: () => installed.documents.includes('pdf'),
  onFailure: error => void fail(error),
});

const scanButton = byId('scan', HTMLButtonElement);
const autoButton = byId('auto', HTMLButtonElement);
let installed: Installed = { scanners: [], documents: [], keepsPages: true, profiles: {} };
let known: Known | undefined;
let under: ActivityKind | undefined;

function draw(): void {
  const count = list.all.length;
  byId('count', HTMLElement).textContent = count ? String(count) : '';
  byId('tools', HTMLElement).hidden = count === 0;
  byId('work', HTMLElement).hidden = count === 0;
  byId('empty', HTMLElement).hidden = count > 0;
  pdf.show();
  strip.show();
  stage.show();
  facts.show();
  viewer.renew();
}

function save(sheet: Sheet): void {
  void saveOne(sheet, numberOf(list, sheet)).catch(fail);
}

function remove(sheets: readonly Sheet[]): void {
  const [restore, unmark] = [list.remove(sheets), here.remove(sheets)];
  byId('pages', HTMLElement).focus();
  show('note', {
    title: `${countOf(sheets.length, 'page')} removed`,
    beside: true,
    action: {
      text: 'Undo',
      run() {
        unmark();
        restore();
      },
    },
    onGone: () => here.letGo(list.all),
  });
}

let saving = false;

async function saveEvery(): Promise<void> {
  if (saving) return;
  saving = true;
  announce(`Saving ${countOf(list.all.length, 'page')}`);
  await saveAll(list.all).catch(fail);
  saving = false;
}

const fail = (error: unknown): Promise<void> => showFailure(error, async () => (await service.diagnose()).findings);

function begin(scan: Scan): void {
  here.letGo(list.all, true);
  here.add(scan);
  void hold(scan.id);
}

function addKept(pages: readonly Page[], scan: Scan, isFirst: boolean): void {
  const wanted = pages.filter(page => {
    const kept = keptAt(page);
    return !kept || markOf(kept.scan, kept.number) !== 'removed';
  });
  list.add(wanted, { scanner: scan.scannerName, at: new Date(scan.createdAt) }, isFirst ? 'first' : 'same');
}

function ended({ scan, ...how }: Followed): void {
  const hasFeeder = choice.all.find(({ name }) => name === scan.scannerName)?.hasFeeder ?? true;
  const onContinue = (): void => void job.continue(scan);
  showEnding({ scan, ...how, next: list.nextNumber(scan.id), hasFeeder, onContinue });
}

/** Those that this tab shows already go on. The last one says how it ended. */
async function showScans(scans: readonly Scan[]): Promise<void> {
  const running = scans.find(({ state }) => state === 'running');
  let last: Followed | undefined;
  for (const scan of scans.filter(each => each !== running && !here.has(each))) {
    const followed = await showOver(scan).catch(fail);
    if (followed) last = followed;
  }
  if (running) {
    here.add(running);
    return job.follow(running);
  }
  if (last) ended(last);
}

/** Shows a scan that ended. @throws PlatenError */
async function showOver(scan: Scan): Promise<Followed> {
  let isFirst = list.all.length === 0;
  here.add(scan);
  const onPages = (pages: readonly Page[]): void => {
    addKept(pages, scan, isFirst);
    isFirst = false;
  };
  const end = await follow(scan, { onPages, onProgress: () => undefined, onConnection: () => undefined });
  return { scan, end, count: scan.pageCount, tookMs: undefined };
}

function onState(kind: ActivityKind | undefined): void {
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
  const feeds = chosen?.hasFeeder === true && !settings.isFlatbed;
  autoButton.disabled = kind === undefined ? !ready || !feeds : kind !== 'auto';
  byId('empty-text', HTMLElement).textContent = kind ? awaited[kind] : emptyText(chosen);
  document.body.dataset['under'] = kind ?? 'nothing';
  autoButton.setAttribute('aria-pressed', String(kind === 'auto'));
  byId('actions-hint', HTMLElement).textContent =
    ready && !chosen.hasFeeder
      ? 'Auto-scan needs a scanner with a feeder.'
      : settings.isFlatbed
        ? 'Auto-scan needs the feeder as the source.'
        : '';
}

const takesInsertions = (name: string): boolean =>
  installed.scanners.some(each => each.name === name && each.takesInsertions);

const awaited = {
  scan: 'Each page appears here as soon as it is finished.',
  preview: 'The preview opens as soon as it is scanned.',
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
    const can = await service.capabilities(name, { details: true });
    if (choice.chosen === scanner) settings.show((known = { scanner: name, can, installed }));
  } catch (error) {
    if (choice.chosen !== scanner) return;
    settings.say('Could not read what the scanner can do.');
    await fail(error);
  }
  enable();
}

function sayNone(title: string, text: string): void {
  choice.say(title, text);
  settings.say('Choose a scanner to see its settings.');
  tray.show(undefined);
}

async function look(): Promise<void> {
  clearOutdated();
  choice.wait();
  void showHealth(service);
  try {
    const [scanners, found] = await Promise.all([service.listScanners(), service.installed()]);
    installed = found;
    choice.show(scanners);
    void waiting.look().catch(fail);
    if (scanners.length > 0) return announce(`${countOf(scanners.length, 'scanner')} found`);
    sayNone('No scanner was found.', 'Connect one and switch it on, or install its driver. Then press “Refresh”.');
  } catch (error) {
    sayNone('Could not list the scanners.', 'The message says why.');
    await fail(error);
  }
  enable();
}

const previewed = createPreview({ onAgain: () => void preview(), onUse: settings.takeArea });

async function preview(): Promise<void> {
  const { chosen } = choice;
  const limits = known?.can.details?.sources.flatbed?.area;
  if (!chosen || !limits || !known) return;
  const page = await job.preview({
    scanner: chosen.name,
    parameters: previewParameters(known.can),
    takesInsertions: false,
  });
  if (page) previewed.open(page, limits, settings.area);
  // The button was disabled meanwhile, and so lost the focus.
  else if (document.activeElement === document.body) document.getElementById('preview')?.focus();
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
byId('save-all', HTMLButtonElement).addEventListener('click', () => void saveEvery());
byId('clear', HTMLButtonElement).addEventListener('click', () => remove(list.all));
addEventListener('beforeunload', event => {
  const isSafe = (sheet: Sheet): boolean =>
    isSaved(sheet) || (keptAt(sheet.page) !== undefined && installed.keepsPages);
  if (under === 'auto' || (under === 'scan' && !installed.keepsPages) || !list.all.every(isSafe))
    event.preventDefault();
});
// A page that the browser may show again as it was keeps its scans.
addEventListener('pagehide', ({ persisted }) => void (persisted || here.leave()));
byId('settings', HTMLDetailsElement).open = matchMedia('(min-width: 60rem)').matches;

void look();
