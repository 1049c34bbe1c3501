/** The offer of scans that wait at the service: loaded when some do. */
import { html, type TemplateResult } from 'lit-html';
import type { Desk } from '../desk.js';
import { button } from '../pieces/button.js';
import { icon } from '../pieces/icon.js';

/** Further scans are only counted. */
const MOST_SAID = 4;

export function waitingView({ waiting, context: { words } }: Desk): TemplateResult {
  const { scans } = waiting;
  const count = scans.length;
  const pages = scans.reduce((sum, scan) => sum + waiting.pagesOf(scan), 0);
  const said = scans
    .slice(0, MOST_SAID)
    .map(({ scannerName, createdAt }) => `${scannerName}, ${words.date(new Date(createdAt))}`);
  const more = count - MOST_SAID;
  if (more > 0) said.push(words('waiting.more', { count: more }));
  return html`<section class="notice note" aria-label=${words('waiting.label')}>
    ${icon('info')}
    <div class="words">
      <strong>${words('waiting.title', { count, pages: words('desk.page-count', { count: pages }) })}</strong>
      <p>${said.join(' · ')}</p>
    </div>
    <div class="tools">
      ${button(words('waiting.show', { count }), () => waiting.accept(), { class: 'primary' })}
      ${button(words('waiting.discard'), () => waiting.refuse())}
    </div>
  </section>`;
}
