/** The scanners of this computer, one of which is chosen. */
import type { Scanner } from '../client.js';
import { byId, element, fill, icon } from './element.js';
import { recall, remember } from './memory.js';

export interface ScannerChoice {
  readonly chosen: Scanner | undefined;
  readonly all: readonly Scanner[];
  /** Keeps the choice if that scanner is still listed. */
  show(scanners: readonly Scanner[]): void;
  /** The list is being requested. */
  wait(): void;
  /** None are known. */
  say(title: string, text: string): void;
}

/** @param onChoose also called when the list was read again */
export function createScannerChoice(onChoose: (scanner: Scanner) => void): ScannerChoice {
  const place = byId('scanners', HTMLElement);
  let chosen: Scanner | undefined;
  let all: readonly Scanner[] = [];

  function choose(scanner: Scanner): void {
    chosen = scanner;
    remember('scanner', scanner.name);
    onChoose(scanner);
  }

  return {
    get chosen() {
      return chosen;
    },
    get all() {
      return all;
    },
    show(scanners) {
      all = scanners;
      place.removeAttribute('aria-busy');
      const wanted = chosen?.name ?? recall('scanner');
      const pick =
        scanners.find(({ name }) => name === wanted) ?? scanners.find(({ isOnline }) => isOnline) ?? scanners[0];
      fill(place, ...scanners.map(scanner => card(scanner, scanner === pick, () => choose(scanner))));
      chosen = undefined;
      if (pick) choose(pick);
    },
    wait() {
      place.setAttribute('aria-busy', 'true');
      if (!chosen) fill(place, element('p', { class: 'none' }, 'Looking for scanners…'));
    },
    say(title, text) {
      place.removeAttribute('aria-busy');
      chosen = undefined;
      fill(place, element('p', { class: 'none' }, element('strong', {}, title), ' ', text));
    },
  };
}

function card(scanner: Scanner, checked: boolean, onChoose: () => void): HTMLElement {
  const { name, manufacturer, model, isOnline, hasFeeder, hasFlatbed, supportsDuplex } = scanner;
  const radio = element('input', {
    type: 'radio',
    name: 'scanner',
    value: name,
    checked,
    'aria-label': `${name}${isOnline ? '' : ', offline'}`,
  });
  radio.addEventListener('change', onChoose);
  const tags = [
    hasFeeder && 'Feeder',
    hasFlatbed && 'Flatbed',
    supportsDuplex && 'Both sides',
    !isOnline && 'Offline',
  ].filter(tag => tag !== false);
  return element(
    'label',
    { class: `card${isOnline ? '' : ' offline'}` },
    radio,
    icon(hasFeeder ? 'feeder' : 'flatbed'),
    element(
      'span',
      { class: 'card-words' },
      element('span', { class: 'name' }, name),
      element('span', { class: 'model' }, [manufacturer, model].filter(Boolean).join(' ')),
    ),
    element(
      'span',
      { class: 'tags' },
      ...tags.map(tag => element('span', { class: tag === 'Offline' ? 'tag away' : 'tag' }, tag)),
    ),
  );
}
