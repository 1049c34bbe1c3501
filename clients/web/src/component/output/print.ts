/** Prints pages, one a sheet, and nothing else of the document. */
import type { Turn } from '../../client/shapes.js';
import { passOf } from '../../client/consent/pass.js';
import type { Page } from '../pages/page.js';
import { pictureUrl, turnedSize } from '../pages/pictures.js';
import { fetched, NotLoaded } from './pictureHere.js';
import css from '../styles/sheets.css';

export interface PrintedPage {
  readonly page: Page;
  readonly turn: Turn;
}

/**
 * Resolves when the browser's dialog is over.
 * @throws NotLoaded before anything is printed, the signal's reason
 */
export async function printPages(pages: readonly PrintedPage[], signal: AbortSignal): Promise<void> {
  const urls: string[] = [];
  const host = document.createElement('div');
  host.setAttribute('data-platen-print', '');
  const root = host.attachShadow({ mode: 'open' });
  root.adoptedStyleSheets = [sheetOf(css)];
  const others = sheetOf(onlyThis);
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
  try {
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, others];
    document.body.append(host);
    const images = pages.map(page => imageOf(page, urls));
    root.append(...images.map(({ element }) => element));
    await Promise.race([Promise.all(images.map(({ loaded }) => loaded)), aborted]);
    const over = new Promise(resolve => addEventListener('afterprint', resolve, { once: true }));
    print();
    await Promise.race([over, aborted]);
  } finally {
    host.remove();
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter(each => each !== others);
    urls.forEach(url => URL.revokeObjectURL(url));
  }
}

/**
 * In the document, as long as it is printed. It is a style sheet and not a `style` element, which a strict policy of the
 * embedding page refuses; `:not(#platen)` outweighs rules of that page.
 */
const onlyThis = `
[data-platen-print] { display: none !important; }
@media print {
  html:not(#platen#platen), html:not(#platen#platen) > body {
    display: block !important; position: static !important; float: none !important; overflow: visible !important;
    width: auto !important; min-width: 0 !important; max-width: none !important;
    height: auto !important; min-height: 0 !important; max-height: none !important;
    margin: 0 !important; padding: 0 !important; border: 0 !important;
    background: none !important; columns: auto !important; transform: none !important; zoom: 1 !important;
  }
  html:not(#platen#platen)::before, html:not(#platen#platen)::after,
  html:not(#platen#platen) > body::before, html:not(#platen#platen) > body::after,
  html:not(#platen#platen) > body > * { display: none !important; }
  html:not(#platen#platen) > body > [data-platen-print] { all: initial !important; display: block !important; }
}`;

function sheetOf(text: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  return sheet;
}

/** @param urls takes those to revoke */
function imageOf({ page, turn }: PrintedPage, urls: string[]): { element: HTMLElement; loaded: Promise<void> } {
  const image = new Image();
  const element = document.createElement('div');
  element.className = 'sheet';
  element.append(image);
  image.alt = '';
  // Its real size, if the paper has room for it.
  image.style.width = `${turnedSize(page, turn).width / page.resolution}in`;
  return { element, loaded: load(image, page, turn, urls) };
}

async function load(image: HTMLImageElement, page: Page, turn: Turn, urls: string[]): Promise<void> {
  let url = pictureUrl(page.file, turn);
  const pass = passOf(new URL(url).origin);
  if (pass) urls.push((url = URL.createObjectURL(await fetched(url, pass).catch(lost))));
  // The service refuses pictures without CORS.
  image.crossOrigin = 'anonymous';
  image.src = url;
  await new Promise<void>((resolve, reject) => {
    image.addEventListener('load', () => resolve(), { once: true });
    image.addEventListener('error', () => reject(notLoaded()), { once: true });
  });
}

const notLoaded = (): NotLoaded => new NotLoaded('A page could not be loaded.');
const lost = (): never => {
  throw notLoaded();
};
