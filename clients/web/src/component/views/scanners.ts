/** The list of scanners. */
import { html, nothing, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import type { Scanner } from '../../client/shapes.js';
import type { ScanDialog } from '../scanDialog.js';
import { icon } from '../pieces/icon.js';

const inUseWords = { own: 'scanner.in-use-own', other: 'scanner.in-use' } as const;

export function scannersView({ context: { words }, chosen: { scanners }, job }: ScanDialog): TemplateResult {
  const { all, isLooking, absent } = scanners;
  const say = (title: string, text = ''): TemplateResult =>
    html`<p class="none"><strong>${title}</strong>${text ? ` ${text}` : ''}</p>`;
  const content =
    all.length > 0
      ? repeat(
          all,
          ({ name }) => name,
          scanner => card(scanner),
        )
      : absent && !isLooking
        ? say(words(absent[0]), words(absent[1]))
        : html`<p class="none">${words('scanner.looking')}</p>`;
  return html`<div
    id="scanners"
    class="scanners"
    role="radiogroup"
    aria-labelledby="scanner-title"
    aria-busy=${isLooking ? 'true' : nothing}
  >
    ${content}
  </div>`;

  function card(scanner: Scanner): TemplateResult {
    const { name, manufacturer, model, isOnline, hasFeeder, hasFlatbed, supportsDuplex } = scanner;
    // What scans here is said where it scans.
    const inUse = job.activity?.scanner === name ? undefined : scanners.useOf(scanner);
    const state = isOnline ? inUse && inUseWords[inUse] : 'scanner.offline';
    const tags = [
      hasFeeder && words('scanner.feeder'),
      hasFlatbed && words('scanner.flatbed'),
      supportsDuplex && words('scanner.both-sides'),
    ].filter(tag => tag !== false);
    return html`<label class="card ${isOnline ? '' : 'offline'}">
      <input
        type="radio"
        name="scanner"
        .value=${name}
        .checked=${scanner === scanners.chosen}
        aria-label=${state ? words('scanner.name-state', { scanner: name, state: words(state) }) : name}
        @change=${() => scanners.choose(scanner)}
      />
      ${icon(hasFeeder ? 'feeder' : 'flatbed')}
      <span class="card-words">
        <span class="name">${name}</span>
        <span class="model">${[manufacturer, model].filter(Boolean).join(' ')}</span>
      </span>
      <span class="tags">
        ${tags.map(tag => html`<span class="tag">${tag}</span>`)}
        ${state ? html`<span class="tag away">${words(state)}</span>` : nothing}
      </span>
    </label>`;
  }
}
