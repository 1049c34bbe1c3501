/** The running job: a mark for each finished page, or what auto-scan waits for; and a button that ends it. */
import { html, nothing, type TemplateResult } from 'lit-html';
import type { ScanDialog } from '../scanDialog.js';
import type { Activity } from '../scanning/activity.js';
import type { Words } from '../words/words.js';
import { button } from '../pieces/button.js';
import { icon } from '../pieces/icon.js';

/** Further pages get no mark. */
const MOST_MARKS = 24;

export function activityView({ job, context: { words } }: ScanDialog): TemplateResult {
  const { activity } = job;
  if (!activity) return html`<div id="activity"></div>`;
  const { kind, scanner, count, isConnected, isEnding } = activity;
  const running = { scan: 'job.scanning', preview: 'job.previewing', auto: 'job.auto' } as const;
  const isScan = kind !== 'auto';
  return html`<div id="activity">
    <div class="activity ${kind}">
      <span class="pulse">${icon(isScan ? 'scan' : 'auto')}</span>
      <div class="words">
        <div class="activity-head">
          <strong class="activity-title"
            >${isConnected ? words(running[kind], { scanner }) : words('job.reconnecting')}</strong
          >
          ${
            kind === 'scan'
              ? html`<span class="marks" aria-hidden="true"
                  >${Array.from({ length: Math.min(count, MOST_MARKS) }, () => html`<span class="mark"></span>`)}<span
                    class="mark next"
                  ></span
                ></span>`
              : nothing
          }
        </div>
        <p class="activity-detail">${detailOf(words, activity)}</p>
      </div>
      ${button(words(isScan ? 'job.cancel' : 'job.stop-auto'), () => job.end(), {
        id: 'stop',
        icon: 'stop',
        class: isScan ? 'danger' : '',
        off: isEnding,
      })}
      ${
        isScan
          ? html`<div
              class="progress"
              role="progressbar"
              aria-label=${words('job.progress')}
              aria-valuetext=${count > 0 ? words('job.finished', { count }) : words('job.nothing-finished')}
            ></div>`
          : nothing
      }
    </div>
  </div>`;
}

function detailOf(words: Words, { kind, scanner, before, count, scanned, isConnected, isEnding }: Activity): string {
  if (isEnding) return words(`job.ending-${kind}`);
  if (!isConnected) return words('job.away');
  if (kind === 'preview') return words('job.preview');
  if (kind === 'auto') return count > 0 ? words('job.since', { count }) : words('job.insert', { scanner });
  if (count === 0) return words(before > 0 ? 'job.next' : 'job.first');
  const finished = words('job.finished', { count });
  return scanned > count ? words('job.ahead', { finished, scanned }) : `${finished}…`;
}
