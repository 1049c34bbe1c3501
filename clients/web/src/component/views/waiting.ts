/** The offer of scans that wait at the service, saved or not. */
import { html, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import type { ScanDialog } from '../scanDialog.js';
import { isolated } from '../output/names.js';
import { button } from '../pieces/button.js';
import { icon } from '../pieces/icon.js';
import { pagesIn } from '../pages/savedDocuments.js';
import { sizeWord } from '../sizes.js';
import type { WaitingDocument } from '../scanning/waitingScans.js';

/** Further scans are only counted. */
const MOST_SAID = 4;

export function waitingView({ waiting, context: { words } }: ScanDialog): TemplateResult {
  const { scans } = waiting;
  const count = scans.length;
  const pages = scans.reduce((sum, scan) => sum + waiting.pagesOf(scan), 0);
  const said = scans
    .slice(0, MOST_SAID)
    .map(({ scannerName, createdAt }) => `${isolated(scannerName)}, ${isolated(words.date(new Date(createdAt)))}`);
  const more = count - MOST_SAID;
  if (more > 0) said.push(words('waiting.more', { count: more }));
  return html`<section class="notice note" aria-label=${words('waiting.label')}>
    ${icon('info')}
    <div class="words">
      <strong>${words('waiting.title', { count, pages: words('dialog.page-count', { count: pages }) })}</strong>
      <p>${said.join(' · ')}</p>
    </div>
    <div class="tools">
      ${button(words('waiting.show', { count }), () => waiting.accept(), { class: 'primary' })}
      ${button(words('waiting.discard'), () => waiting.refuse(scans))}
    </div>
  </section>`;
}

/** Documents that were saved: the service keeps their pages for its hours. The last one first. */
export function savedDocumentsView({ waiting, job, context: { words } }: ScanDialog): TemplateResult {
  const { saved } = waiting;
  const row = (one: WaitingDocument): TemplateResult => {
    const { savedDocument, scans } = one;
    const name = isolated(savedDocument.name);
    const facts = [
      words('dialog.page-count', { count: scans.reduce((sum, { id }) => sum + pagesIn(savedDocument, id), 0) }),
      sizeWord(words, savedDocument.bytes),
    ];
    return html`<li>
      <div class="words">
        <strong>${name}</strong>
        <p class="soft">${facts.join(' · ')}</p>
      </div>
      ${button(words('saved.open'), () => waiting.open(one), {
        class: 'small',
        label: words('saved.show', { name }),
        off: job.activity !== undefined,
      })}
      ${button(words('waiting.discard'), () => waiting.refuse(scans), {
        class: 'small ghost',
        label: words('saved.discard', { name }),
      })}
    </li>`;
  };
  return html`<section id="saved-documents" class="saved-documents" aria-labelledby="saved-title">
    <h3 id="saved-title">${words('saved.title')}</h3>
    <p class="soft">${words('saved.kept')}</p>
    <ul>
      ${repeat(saved.toReversed(), ({ savedDocument }) => savedDocument.layout.order[0], row)}
    </ul>
  </section>`;
}
