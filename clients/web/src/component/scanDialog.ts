/** Assembles a component's parts: the chosen scanner on one side, the document's pages on the other, and the job between them. */
import type { TemplateResult } from 'lit-html';
import { PlatenError } from '../client/errors.js';
import type { Scan } from '../client/scans/keptScan.js';
import type { StartParameters } from '../client/shapes.js';
import { createArrivals } from './arrivals.js';
import type { Context } from './context.js';
import { createShownDocument, type ShownDocument } from './shownDocument.js';
import { createDelivery, type Delivery } from './output/delivery.js';
import { createScanLocks } from './scanning/scanLocks.js';
import { createJob, type Job } from './scanning/job.js';
import { createPageMarks } from './pages/pageMarks.js';
import type { Memory } from './memory.js';
import { createNotices, type Notices } from './messages/notices.js';
import type { Options } from './options.js';
import type { SavedPages } from './output/saving.js';
import type { Sheet } from './pages/page.js';
import { createSavedDocuments, type SavedDocument } from './pages/savedDocuments.js';
import { createShownScans, type ShownScans } from './scanning/shownScans.js';
import { createChosen, type Chosen } from './settings/chosen.js';
import type { Layout } from './pages/layout.js';
import { showFailure, showRefusal } from './scanning/failures.js';
import { createWaitingScans, type WaitingScans } from './scanning/waitingScans.js';

export interface ScanDialogParts {
  readonly context: Context;
  /** Of this component alone. */
  readonly own: Memory;
  options(): Options;
  /** Done was pressed. @param layout of the pages in the files */
  onFiles(files: readonly File[], layout: Layout): void;
  onError(error: PlatenError): void;
}

export interface ScanDialog {
  readonly context: Context;
  readonly options: Options;
  readonly chosen: Chosen;
  readonly shownDocument: ShownDocument;
  readonly notices: Notices;
  readonly job: Job;
  readonly waiting: WaitingScans;
  readonly shownScans: ShownScans;
  readonly delivery: Delivery;
  /**
   * The document that is shown, if it was saved like this. None where there is Done: the next scan must not set aside pages
   * that are in a form.
   */
  readonly saved: SavedDocument | undefined;
  /** Drawn above everything else. */
  aside: (() => TemplateResult) | undefined;
  /** Looks for scanners, and for scans that wait. */
  look(): Promise<void>;
  scan(): Promise<void>;
  autoScan(): Promise<void>;
  /** Pages were saved. @returns whether they are the document that is shown */
  keepSaved(pages: SavedPages): boolean;
  /** Shows no pages: those that are not removed wait at the service. Not while a job runs. */
  beginDocument(): void;
  fail(error: unknown): Promise<void>;
  /** The person leaves: what they are done with is let go. */
  leave(): void;
  /** Ends the running job, lets everything go, and begins with no pages. */
  reset(): void;
  /** The embedder fixes other parameters. */
  renew(): void;
  dispose(): void;
}

export function createScanDialog(parts: ScanDialogParts): ScanDialog {
  const { context, own, options, onFiles } = parts;
  const { memory } = context;
  const marks = createPageMarks(memory);
  const locks = createScanLocks();
  const shownScans = createShownScans(own, marks, locks);
  const notices = createNotices(context);
  const documents = createSavedDocuments(memory);
  const shownDocument = createShownDocument({ context, own, notices, shownScans, documents });
  const { stack } = shownDocument;
  const chosen = createChosen({
    context,
    options,
    onPreview: (scanner, parameters) => job.preview(scanner, parameters),
    fail,
  });
  const { scanners } = chosen;
  const job = createJob({
    context,
    notices,
    onScan: begin,
    onEnd: followed => arrivals.ended(followed),
    onRefused: (scan, error) => showRefusal(dialog, error, () => arrivals.goOn(scan)),
    onConnection: () => context.changed(),
    onFailure: error => void fail(error),
  });
  const waiting = createWaitingScans({
    ...{ context, notices, shownScans, marks, locks, documents },
    takesAll: () => options().actions.has('save'),
    onShow: scans => void arrivals.show(scans).catch(fail),
    onOpen: saved => {
      if (dialog.saved) dialog.beginDocument();
      void arrivals.open(saved).catch(fail);
    },
  });
  const arrivals = createArrivals({
    ...{ context, notices, shownDocument, shownScans, scanners, job, waiting, fail },
    onError: parts.onError,
    onLook: () => void dialog.look(),
  });
  const delivery = createDelivery({ context, stack, shownScans, notices, options, onFiles, fail });

  async function fail(error: unknown): Promise<void> {
    if (error instanceof PlatenError) {
      parts.onError(error);
      if (error.link || error.code === 'storage-full') return showFailure(dialog, error);
    }
    const diagnose = async () => (await context.client.diagnose()).findings;
    await notices.fail(error, { diagnose, look: () => void dialog.look(), install: options().install });
  }

  function begin(scan: Scan): void {
    shownScans.add(scan);
    void locks.hold(scan.id);
  }

  /** Begins another document after a saved one. Undefined: nothing can be scanned now. */
  const ready = (again?: Sheet): { readonly scanner: string; readonly parameters: StartParameters } | undefined => {
    const parameters = chosen.parameters(again !== undefined);
    if (!scanners.chosen || !parameters || job.activity) return undefined;
    if (dialog.saved && !again) dialog.beginDocument();
    return { scanner: scanners.chosen.name, parameters };
  };

  const dialog: ScanDialog = {
    ...{ context, aside: undefined, chosen, shownDocument },
    ...{ notices, job, waiting, shownScans, delivery, fail },
    get options() {
      return options();
    },
    get saved() {
      return options().actions.has('done') ? undefined : shownDocument.saved;
    },
    async look() {
      notices.clearOutdated();
      await chosen.look(() => void waiting.look().catch(fail));
    },
    async scan() {
      const again = shownDocument.replaced;
      const its = ready(again);
      if (!its) return;
      shownDocument.scanAgain(undefined);
      await job.scan(its.scanner, its.parameters, again ? shownDocument.replacing(again) : shownDocument.append);
    },
    async autoScan() {
      const its = ready();
      if (its) await job.autoScan(its.scanner, its.parameters, shownDocument.latest);
    },
    keepSaved(pages) {
      shownDocument.keepSaved(pages);
      return dialog.saved !== undefined;
    },
    beginDocument() {
      if (job.activity) return;
      const scans = shownScans.setAside();
      shownDocument.clear();
      waiting.add(scans);
      context.focus('scan');
    },
    leave: () => void shownScans.letGo(),
    reset() {
      shownDocument.clear();
      for (const scan of shownScans.all) if (scan.state === 'running') shownDocument.refuse(scan);
      job.end();
      shownScans.letGoAll();
    },
    renew: chosen.renew,
    dispose() {
      job.end();
      chosen.dispose();
      shownScans.dispose();
      locks.releaseAll();
    },
  };
  return dialog;
}
