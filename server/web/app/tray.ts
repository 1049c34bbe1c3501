/** The tray of a simulated scanner: an image dropped onto the page, or chosen, becomes a sheet of paper. */
import { PlatenError } from '@platen/client';
import { byId } from '../shared/element.js';
import { scan } from './page.js';
import { insert } from './service.js';

const kinds: readonly string[] = ['image/png', 'image/jpeg', 'image/tiff', 'image/webp', 'image/gif'];

/** The service's limit, checked here because a browser cannot always read the service's error. */
const MOST_BYTES = 32 * 1024 * 1024;
/** Further files are only counted. */
const MOST_SAID = 4;

const place = byId('tray', HTMLElement);
const files = byId('tray-files', HTMLInputElement);
const said = byId('tray-said', HTMLElement);
let scanner: string | undefined;
/** Sequential, so that the images keep their order in the tray. */
let before = Promise.resolve();

/** @param name undefined: the selected scanner is not simulated */
export function showTray(name: string | undefined): void {
  if (name !== scanner) said.textContent = '';
  scanner = name;
  place.hidden = name === undefined;
  if (name === undefined) return;
  place.setAttribute('aria-label', scan.words('app.tray.label', { scanner: name }));
  byId('tray-text', HTMLElement).textContent = scan.words('app.tray.text', { scanner: name });
}

async function insertAll(images: readonly File[], into: string): Promise<void> {
  const { words } = scan;
  place.setAttribute('aria-busy', 'true');
  const refused: string[] = [];
  for (const file of images) {
    const why = unfit(file) ?? (await insert(into, file).then(() => undefined, sentenceOf));
    if (why !== undefined) refused.push(words('app.tray.refused', { file: file.name, why }));
  }
  place.removeAttribute('aria-busy');
  const count = images.length - refused.length;
  const more = refused.length - MOST_SAID;
  place.classList.toggle('bad', refused.length > 0);
  said.textContent = [
    ...refused.slice(0, MOST_SAID),
    more > 0 && words('app.tray.more', { count: more }),
    count > 0 && words(scan.activity === 'auto' ? 'app.tray.put' : 'app.tray.put-scan', { count, scanner: into }),
  ]
    .filter(Boolean)
    .join(' ');
}

/** Why a file is rejected without asking the service. */
function unfit({ type, size }: File): string | undefined {
  const { words } = scan;
  if (type !== '' && !kinds.includes(type)) return words('app.tray.kind');
  if (size === 0) return words('app.tray.empty');
  return size > MOST_BYTES ? words('app.tray.large', { size: MOST_BYTES / 1024 / 1024 }) : undefined;
}

const sentenceOf = (error: unknown): string =>
  error instanceof PlatenError && error.code === 'no-answer'
    ? scan.words('error.no-answer.title')
    : error instanceof Error
      ? error.message
      : String(error);

function take(given: Iterable<File>): void {
  const images = [...given];
  const into = scanner;
  if (into !== undefined && images.length > 0) before = before.then(() => insertAll(images, into));
}

function holds(event: DragEvent): boolean {
  if (!event.dataTransfer?.types.includes('Files')) return false;
  // Otherwise the browser would open the file instead of the page.
  event.preventDefault();
  event.dataTransfer.dropEffect = scanner === undefined ? 'none' : 'copy';
  return scanner !== undefined;
}

files.accept = kinds.join();
files.addEventListener('change', () => {
  take(files.files ?? []);
  files.value = '';
});
byId('tray-choose', HTMLButtonElement).addEventListener('click', () => files.click());
addEventListener('dragover', event => void place.classList.toggle('over', holds(event)));
addEventListener('dragleave', event => void (event.relatedTarget ?? place.classList.remove('over')));
addEventListener('drop', event => {
  place.classList.remove('over');
  if (holds(event)) take(event.dataTransfer?.files ?? []);
});
