/** The tray of a simulated scanner: an image dropped onto the page, or chosen, becomes a sheet of paper. */
import { PlatenError } from '../client.js';
import { announce } from './announcer.js';
import { button, byId, element, fill, icon } from './element.js';
import { show, showFailure } from './notices.js';
import type { Service } from './service.js';
import { countOf } from './words.js';

const place = byId('tray', HTMLElement);
const kinds: readonly string[] = ['image/png', 'image/jpeg', 'image/tiff', 'image/webp', 'image/gif'];

/** The service's limit, checked here because a browser cannot always read the service's error. */
const MOST_BYTES = 32 * 1024 * 1024;

export interface Tray {
  /** @param scanner undefined: the selected scanner is not simulated */
  show(scanner: string | undefined): void;
}

/** @param isAuto whether auto-scan scans the image at once */
export function createTray(service: Service, isAuto: () => boolean): Tray {
  let scanner: string | undefined;
  /** Sequential, so that the images keep their order in the tray. */
  let before = Promise.resolve();

  async function insert(files: readonly File[], into: string): Promise<void> {
    place.setAttribute('aria-busy', 'true');
    const refused: string[] = [];
    try {
      for (const file of files) {
        const why = unfit(file) ?? (await service.insert(into, file).then(() => undefined, sentenceOf));
        if (why !== undefined) refused.push(`“${file.name}” ${why}`);
      }
      const count = files.length - refused.length;
      const put = `${countOf(count, 'image')} in the tray of ${into}.`;
      if (refused.length > 0) return refuse(refused, count > 0 ? put : '');
      announce(isAuto() ? put : `${put} Press Scan to scan.`);
      if (!isAuto()) show('note', { title: put, text: 'Press Scan to scan the tray.', beside: true });
    } catch (error) {
      await showFailure(error);
    } finally {
      place.removeAttribute('aria-busy');
    }
  }

  const take = (files: Iterable<File>): void => {
    const chosen = [...files];
    const into = scanner;
    if (into !== undefined && chosen.length > 0) before = before.then(() => insert(chosen, into));
  };

  const hold = (event: DragEvent): boolean => {
    if (!event.dataTransfer?.types.includes('Files')) return false;
    // Otherwise the browser would open the file instead of the page.
    event.preventDefault();
    event.dataTransfer.dropEffect = scanner === undefined ? 'none' : 'copy';
    return scanner !== undefined;
  };
  addEventListener('dragover', event => void place.classList.toggle('over', hold(event)));
  addEventListener('dragleave', event => void (event.relatedTarget ?? place.classList.remove('over')));
  addEventListener('drop', event => {
    place.classList.remove('over');
    if (hold(event)) take(event.dataTransfer?.files ?? []);
  });

  return {
    show(name) {
      scanner = name;
      if (name === undefined) return place.replaceChildren();
      const input = element('input', { type: 'file', accept: kinds.join(), multiple: true, hidden: true });
      input.addEventListener('change', () => {
        take(input.files ?? []);
        input.value = '';
      });
      fill(
        place,
        element(
          'section',
          { class: 'tray', 'aria-label': `Tray of ${name}` },
          icon('tray'),
          element('p', {}, element('strong', {}, 'Drop an image here'), ` to insert it into the tray of ${name}.`),
          button('Choose images', () => input.click(), { class: 'small' }),
          input,
        ),
      );
    },
  };
}

/** Why a file is rejected without asking the service. */
function unfit({ type, size }: File): string | undefined {
  if (type !== '' && !kinds.includes(type)) return 'is not a PNG, JPEG, TIFF, WebP or GIF image.';
  if (size === 0) return 'is empty.';
  if (size > MOST_BYTES) return `is too large: the tray takes images up to ${MOST_BYTES / 1024 / 1024} MiB.`;
  return undefined;
}

/** Why the service rejected this image. @throws an error that concerns the other images, too */
function sentenceOf(error: unknown): string {
  if (!(error instanceof PlatenError) || error.code === 'no-answer') throw error;
  return `was rejected: ${error.message}`;
}

/** Further files are only counted. */
const MOST_SAID = 4;

function refuse(refused: readonly string[], put: string): void {
  const more = refused.length - MOST_SAID;
  const text = [...refused.slice(0, MOST_SAID), more > 0 && `And ${more} more.`, put].filter(Boolean).join(' ');
  const title =
    refused.length === 1
      ? 'The file could not be inserted into the tray'
      : `${refused.length} files could not be inserted into the tray`;
  show('alert', { title, text, remedy: 'Choose another image, or another scanner.', beside: true });
}
