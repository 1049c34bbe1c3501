/** Assembles a component's parts: the scanners on one side, their pages on the other. */
import type { TemplateResult } from 'lit-html';
import { PlatenError } from '../client/errors.js';
import type { Scan } from '../client/keptScan.js';
import type { Scanner, StartParameters } from '../client/shapes.js';
import type { Context } from './context.js';
import { showEnding } from './ending.js';
import { follow } from './following.js';
import { createHandOver, type HandOver } from './handOver.js';
import { createHolding } from './holding.js';
import { createJob, type Followed, type Job, type Take } from './job.js';
import { loaded } from './later.js';
import { createMarks } from './marks.js';
import type { Memory } from './memory.js';
import { createNotices, type Notices } from './notices.js';
import type { Options } from './options.js';
import type { SavedPages } from './output/saving.js';
import { isDamaged, keptAt, type Sheet } from './page.js';
import { createSavedDocuments, type SavedDocument } from './savedDocuments.js';
import { createScanners, type Scanners } from './scanners.js';
import { createScansHere, type ScansHere } from './scansHere.js';
import { createPreview, type Preview } from './settings/preview.js';
import { createSettings, type Known, type Settings } from './settings/settings.js';
import { createStack, scanOf, type History, type Layout, type Stack } from './stack.js';
import { createWaiting, type Waiting, type WaitingDocument } from './waiting.js';

export interface DeskParts {
  readonly context: Context;
  /** Of this component alone. */
  readonly own: Memory;
  options(): Options;
  /** Done was pressed. @param layout of the pages in the files */
  onFiles(files: readonly File[], layout: Layout): void;
  onError(error: PlatenError): void;
}

export interface Desk {
  readonly context: Context;
  readonly options: Options;
  readonly scanners: Scanners;
  readonly settings: Settings;
  readonly preview: Preview;
  readonly stack: Stack;
  readonly notices: Notices;
  readonly job: Job;
  readonly waiting: Waiting;
  readonly here: ScansHere;
  readonly handOver: HandOver;
  /**
   * The document that is shown, if it was saved like this. None where there is Done: the next scan must not set aside pages
   * that are in a form.
   */
  readonly saved: SavedDocument | undefined;
  readonly known: Known | undefined;
  /** Drawn above everything else. */
  aside: (() => TemplateResult) | undefined;
  /** The next scan takes the place of this page. */
  readonly replaced: Sheet | undefined;
  /** Whether Scan can be pressed. */
  readonly canScan: boolean;
  /** Whether the scanner and the settings allow auto-scan. */
  readonly feeds: boolean;
  /** Looks for scanners, and for scans that wait. */
  look(): Promise<void>;
  scan(): Promise<void>;
  autoScan(): Promise<void>;
  /** The next scan takes the place of this page; undefined: of none. */
  scanAgain(sheet: Sheet | undefined): void;
  remove(sheets: readonly Sheet[]): void;
  /** Pages were saved. @returns whether they are the document that is shown */
  keepSaved(pages: SavedPages): boolean;
  /** Shows no pages: those that are not removed wait at the service. Not while a job runs. */
  beginDocument(): void;
  undo(): void;
  redo(): void;
  fail(error: unknown): Promise<void>;
  /** Whether leaving the page would lose something. */
  readonly isUnsafe: boolean;
  /** The person leaves: what they are done with is let go. */
  leave(): void;
  /** Ends the running job, lets everything go, and begins with no pages. */
  reset(): void;
  /** The embedder fixes other parameters. */
  renew(): void;
  dispose(): void;
}

export function createDesk({ context, own, options, onFiles, onError }: DeskParts): Desk {
  const { client, memory } = context;
  const marks = createMarks(memory);
  const holding = createHolding();
  const here = createScansHere(own, marks, holding);
  const notices = createNotices(context);
  const documents = createSavedDocuments(memory);
  const stack = createStack(onStack, own.recall('stack', 'tab') as History | undefined);
  const scanners = createScanners(context, scanner => void choose(scanner));
  const settings = createSettings({
    context,
    fixed: () => fixed(options()),
    onPreview: () => void previewFlatbed().catch(fail),
    onSeparatorSheet: () => void saveSeparatorSheet().catch(fail),
  });
  const preview = createPreview({
    context,
    onAgain: () => void previewFlatbed().catch(fail),
    onUse: area => settings.takeArea(area),
  });
  const job = createJob({
    context,
    notices,
    onScan: begin,
    onAutoPage: sheet => stack.add([sheet], 'last'),
    onEnd: ended,
    onRefused: (scan, error) =>
      void loaded(import('./telling.js')).then(part => part.showRefusal(desk, error, () => goOn(scan)), fail),
    onConnection: () => context.changed(),
    onFailure: error => void fail(error),
  });
  const waiting = createWaiting({
    context,
    notices,
    here,
    marks,
    holding,
    documents,
    takesAll: () => options().actions.has('save'),
    onShow: scans => void showScans(scans).catch(fail),
    onOpen: open,
  });
  const handOver = createHandOver({ context, stack, here, notices, options, onFiles, fail });
  let known: Known | undefined;
  let replaced: Sheet | undefined;
  /** Ids of scans that ran when everything was reset. */
  const unwanted = new Set<string>();

  /** What is removed is marked, so that it does not come back with the next visit. */
  function onStack(): void {
    const shown = new Set(stack.all);
    const [left, gone] = [stack.all, stack.known.filter(sheet => !shown.has(sheet))];
    here.mark(gone, 'removed');
    here.mark(
      left.filter(sheet => here.isMarked(sheet, 'removed')),
      undefined,
    );
    own.remember('stack', stack.history, 'tab');
    context.changed();
  }

  async function fail(error: unknown): Promise<void> {
    if (error instanceof PlatenError) {
      onError(error);
      const part = error.link || error.code === 'storage-full' ? import('./telling.js') : undefined;
      const telling = await part?.catch(() => undefined);
      if (telling) return telling.tell(desk, error);
    }
    await notices.fail(error, {
      diagnose: async () => (await client.diagnose()).findings,
      look: () => void desk.look(),
      install: options().install,
    });
  }

  function begin(scan: Scan): void {
    here.add(scan);
    void holding.hold(scan.id);
  }

  /** A page that was removed earlier comes back only where its removal can be undone. */
  function wantedOf(sheets: readonly Sheet[]): readonly Sheet[] {
    const { before, now, after } = stack.history;
    const placed = new Set([...before, now, ...after].flatMap(({ order }) => order));
    return sheets
      .filter(({ page }) => !unwanted.has(keptAt(page)?.scan ?? ''))
      .filter(sheet => !here.isMarked(sheet, 'removed') || placed.has(sheet.id));
  }

  const append: Take = (sheets, isFirst) => stack.add(wantedOf(sheets), isFirst ? 'first' : 'same');

  /** The first page takes the place; the others follow it. */
  function replacing(old: Sheet): Take {
    return (sheets, isFirst) => {
      if (isFirst && stack.all.includes(old)) stack.replace(old, sheets);
      else append(sheets, isFirst);
    };
  }

  const goOn = (scan: Scan): void => void job.continue(scan, append);

  function ended({ scan, ...how }: Followed): void {
    if (unwanted.delete(scan.id)) return here.letGoAll();
    const hasFeeder = scanners.all.find(({ name }) => name === scan.scannerName)?.hasFeeder ?? true;
    const at = stack.all.findLastIndex(({ page }) => keptAt(page)?.scan === scan.id);
    const next = (at < 0 ? stack.all.length : at + 1) + 1;
    void showEnding(context, notices, {
      scan,
      ...how,
      next,
      hasFeeder,
      onContinue: () => goOn(scan),
      onLook: () => void desk.look(),
    });
    if (how.end.isFault && how.end.code) onError(new PlatenError(how.end.code, how.end.error ?? how.end.code));
  }

  /** Those that this component shows already go on. The last one says how it ended. */
  async function showScans(scans: readonly Scan[]): Promise<void> {
    const running = scans.find(({ state }) => state === 'running');
    let last: Followed | undefined;
    for (const scan of scans.filter(each => each !== running && !here.has(each)))
      last = (await showOver(scan).catch(fail)) ?? last;
    // An earlier visit let them go: Undo would bring back nothing.
    const arrived = new Set(stack.known.map(({ id }) => id));
    stack.forget(id => !arrived.has(id) && !waiting.listed.has(scanOf(id)));
    if (running && !job.activity) {
      here.add(running);
      const its = scanners.all.find(({ name }) => name === running.scannerName);
      if (its && its !== scanners.chosen) scanners.choose(its);
      return job.follow(running, append);
    }
    if (last) ended(last);
  }

  /** Shows a scan that ended. @throws PlatenError */
  async function showOver(scan: Scan): Promise<Followed> {
    here.add(scan);
    let isFirst = stack.all.length === 0;
    const onSheets = (sheets: readonly Sheet[]): void => {
      append(sheets, isFirst);
      isFirst = false;
    };
    const end = await follow(scan, { onSheets, onProgress: () => undefined, onConnection: () => undefined });
    return { scan, end, count: scan.pageCount, tookMs: undefined };
  }

  /** Pages that are shown and were not saved stay, before those of the document. */
  function open({ document, scans }: WaitingDocument): void {
    if (desk.saved) desk.beginDocument();
    stack.expect(document.layout);
    void showScans(scans).catch(fail);
  }

  async function choose(scanner: Scanner): Promise<void> {
    settings.say('settings.reading');
    known = undefined;
    try {
      const [can, profiles] = await Promise.all([
        client.capabilities(scanner.name, { details: true }),
        client.profiles(),
      ]);
      if (scanners.chosen !== scanner) return;
      known = { scanner: scanner.name, can, profiles };
      settings.show(known);
    } catch (error) {
      if (scanners.chosen !== scanner) return;
      settings.say('settings.unread');
      await fail(error);
    }
    context.changed();
  }

  async function saveSeparatorSheet(): Promise<void> {
    const sheet = await loaded(import('./settings/separatorSheet.js'));
    await sheet.saveSeparatorSheet(context);
  }

  async function previewFlatbed(): Promise<void> {
    const limits = known?.can.details?.sources.flatbed?.area;
    if (!known || !limits) return;
    const { previewParameters } = await loaded(import('./settings/previewRequest.js'));
    const page = await job.preview(known.scanner, previewParameters(known.can));
    if (page) preview.open(page, limits, settings.area);
    else context.focus('preview');
  }

  /** Of one sheet, if its page is scanned again and the scanner can count. */
  function parametersOf(again: Sheet | undefined): StartParameters | undefined {
    const { parameters } = settings;
    if (!parameters || !again) return parameters;
    const counts = known?.can.details?.sources.feeder?.controls.sheets !== undefined && !settings.isFlatbed;
    return { ...parameters, ...(counts && { sheets: 1 }) };
  }

  const isOnlyHere = (sheet: Sheet): boolean =>
    keptAt(sheet.page) === undefined && !here.isMarked(sheet, 'saved') && !here.isMarked(sheet, 'handed-over');

  const desk: Desk = {
    context,
    aside: undefined,
    get options() {
      return options();
    },
    scanners,
    settings,
    preview,
    stack,
    notices,
    job,
    waiting,
    here,
    handOver,
    get known() {
      return known;
    },
    get saved() {
      return options().actions.has('done') ? undefined : documents.as(stack.layout);
    },
    get replaced() {
      return replaced && stack.all.includes(replaced) ? replaced : undefined;
    },
    get canScan() {
      return scanners.chosen !== undefined && settings.parameters !== undefined;
    },
    get feeds() {
      return scanners.chosen?.hasFeeder === true && !settings.isFlatbed;
    },
    async look() {
      notices.clearOutdated();
      scanners.wait();
      const { words } = context;
      const { scanner } = options();
      try {
        const all = await client.listScanners();
        scanners.show(all, scanner);
        void waiting.look().catch(fail);
        if (scanners.all.length > 0) context.announce(words('scanner.found', { count: scanners.all.length }));
        else scanners.say(scanner === undefined ? 'scanner.none' : 'scanner.missing', 'scanner.none-remedy');
      } catch (error) {
        scanners.say('scanner.not-listed', 'scanner.not-listed-remedy');
        await fail(error);
      }
      if (!scanners.chosen) settings.say('settings.chooseScanner');
    },
    async scan() {
      const again = desk.replaced;
      const parameters = parametersOf(again);
      const { chosen } = scanners;
      if (!chosen || !parameters || job.activity) return;
      replaced = undefined;
      if (desk.saved && !again) desk.beginDocument();
      await job.scan(chosen.name, parameters, again ? replacing(again) : append);
    },
    async autoScan() {
      const { chosen } = scanners;
      const { parameters } = settings;
      if (!chosen || !parameters || job.activity) return;
      if (desk.saved) desk.beginDocument();
      await job.autoScan(chosen.name, parameters);
    },
    scanAgain(sheet) {
      replaced = sheet;
      context.changed();
      if (sheet) context.focus('scan');
    },
    remove(sheets) {
      const count = sheets.length;
      stack.remove(sheets);
      notices.show('note', {
        title: context.words('desk.removed', { count }),
        beside: true,
        action: { text: context.words('undo'), run: () => desk.undo() },
      });
    },
    keepSaved({ sheets, layout, name, bytes }) {
      here.mark(sheets, 'saved');
      const inIt = new Set(sheets);
      // What is in this tab's memory cannot be shown again later.
      const isWhole = stack.all.every(sheet => isDamaged(sheet) || (inIt.has(sheet) && keptAt(sheet.page)));
      if (isWhole) documents.add({ name, bytes, layout });
      context.changed();
      return desk.saved !== undefined;
    },
    beginDocument() {
      if (job.activity) return;
      const scans = here.setAside();
      stack.clear();
      notices.clear();
      replaced = undefined;
      waiting.add(scans);
      context.focus('scan');
    },
    undo() {
      if (!stack.canUndo) return;
      stack.undo();
      notices.clearOutdated();
      context.announce(context.words('desk.undone'));
    },
    redo() {
      if (!stack.canRedo) return;
      stack.redo();
      notices.clearOutdated();
      context.announce(context.words('desk.redone'));
    },
    fail,
    get isUnsafe() {
      return job.activity?.kind === 'auto' || stack.all.some(isOnlyHere);
    },
    leave: () => void here.letGo(),
    reset() {
      stack.clear();
      notices.clear();
      replaced = undefined;
      for (const { id, state } of here.all) if (state === 'running') unwanted.add(id);
      job.end();
      here.letGoAll();
    },
    renew() {
      if (known) settings.show(known);
    },
    dispose() {
      job.end();
      preview.close();
      here.dispose();
      holding.releaseAll();
    },
  };
  return desk;
}

/** Parameters without a control. */
function fixed({ parameters, profile }: Options): StartParameters {
  return { ...parameters, ...(profile !== undefined && { profile }) };
}
