/** Scans of earlier visits that wait at the service: shown again, or discarded. */
import type { Scan } from '../client.js';
import { button, byId, element, fill, icon } from './element.js';
import { hold, release } from './holding.js';
import { isPreview } from './job.js';
import { keepMarks, marksIn } from './marks.js';
import { show, showFailure } from './notices.js';
import { isDone, type ScansHere } from './scansHere.js';
import type { Service } from './service.js';
import { countOf } from './words.js';

const place = byId('waiting', HTMLElement);

export interface WaitingScans {
  /** Asks the service. Scans of this tab, and one that runs, are shown at once; the others are offered. */
  look(): Promise<void>;
}

/** @param onShow shows these scans, in order */
export function createWaitingScans(
  service: Service,
  here: ScansHere,
  onShow: (scans: readonly Scan[]) => void,
): WaitingScans {
  function offer(scans: readonly Scan[]): void {
    if (scans.length === 0) return place.replaceChildren();
    const title = titleOf(scans);
    const leave = (): void => {
      place.replaceChildren();
      byId('pages', HTMLElement).focus({ preventScroll: true });
    };
    const accept = (): void => {
      leave();
      onShow(scans);
    };
    const refuse = (): void => {
      leave();
      discard(scans);
    };
    fill(
      place,
      element(
        'section',
        { class: 'notice note', 'aria-label': 'Waiting scans' },
        icon('info'),
        element('div', { class: 'words' }, element('strong', {}, title), element('p', {}, detailOf(scans))),
        element(
          'div',
          { class: 'tools' },
          button(scans.length === 1 ? 'Show it' : 'Show them', accept, { class: 'primary' }),
          button('Discard', refuse),
        ),
      ),
    );
  }

  /** Once the Undo is over. */
  function discard(scans: readonly Scan[]): void {
    show('note', {
      title: `${scansOf(scans)} discarded`,
      action: { text: 'Undo', run: () => offer(scans) },
      onGone: () => void Promise.all(scans.map(letGo)).catch(showFailure),
    });
  }

  return {
    async look() {
      const scans = (await service.listScans()).filter(({ kind, state }) => kind === 'scan' || state !== 'running');
      keepMarks(new Set(scans.map(({ id }) => id)));
      for (const scan of scans.filter(isPreview)) scan.done().catch(() => undefined);
      const others = scans.filter(scan => !here.has(scan) && !isPreview(scan));
      const isFree = await Promise.all(others.map(({ id }) => hold(id)));
      const free = others.filter((_, at) => isFree[at]);
      for (const scan of free.filter(isDone)) letGo(scan).catch(() => undefined);
      const left = free.filter(scan => !isDone(scan));
      const isOwn = (scan: Scan): boolean => scan.state === 'running' || here.had(scan);
      onShow([...here.all, ...left.filter(isOwn)]);
      offer(left.filter(scan => !isOwn(scan)));
      place.removeAttribute('aria-busy');
    },
  };
}

const letGo = (scan: Scan): Promise<void> => scan.done().finally(() => release(scan.id));

const scansOf = ({ length }: readonly Scan[]): string => `${countOf(length, 'scan')} ${length === 1 ? 'was' : 'were'}`;

/** Pages that the user did not remove. */
const pagesOf = ({ id, pageCount }: Scan): number => pageCount - marksIn(id, 'removed');

function titleOf(scans: readonly Scan[]): string {
  const pages = scans.reduce((sum, scan) => sum + pagesOf(scan), 0);
  return `${countOf(scans.length, 'scan')} ${scans.length === 1 ? 'is' : 'are'} waiting (${countOf(pages, 'page')})`;
}

/** Further scans are only counted. */
const MOST_SAID = 4;

function detailOf(scans: readonly Scan[]): string {
  const said = scans
    .slice(0, MOST_SAID)
    .map(({ scannerName, createdAt }) => `${scannerName}, ${new Date(createdAt).toLocaleString()}`);
  const more = scans.length - MOST_SAID;
  return `${[...said, more > 0 && `${more} more`].filter(Boolean).join(' · ')}`;
}
