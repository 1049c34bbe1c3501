/** Messages, alerts first. */
import { html, nothing, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import type { ScanDialog } from '../scanDialog.js';
import type { NoticeKind, ShownNotice } from '../messages/notices.js';
import { button } from '../pieces/button.js';
import { icon } from '../pieces/icon.js';

export function noticesView({ notices, context: { words } }: ScanDialog): TemplateResult {
  const ofKind = (kind: NoticeKind): unknown =>
    repeat(
      notices.all.filter(each => each.kind === kind),
      ({ id }) => id,
      notice => box(notice),
    );
  return html`<div id="alerts" class="notices" role="alert">${ofKind('alert')}</div>
    <div id="notes" class="notices" role="status">${ofKind('note')}</div>`;

  function box(notice: ShownNotice): TemplateResult {
    const { kind, title, text, detail, remedy, action } = notice;
    return html`<div class="notice ${kind}" part="notice">
      ${icon(kind === 'alert' ? 'alert' : 'info')}
      <div class="words">
        <strong>${title}</strong>
        ${text ? html`<p>${text}</p>` : nothing} ${detail ? html`<p lang="en" dir="ltr">${detail}</p>` : nothing}
        ${remedy ? html`<p class="remedy">${remedy}</p>` : nothing}
      </div>
      ${action ? button(action.text, () => notices.act(notice)) : nothing}
      ${button(words('dialog.close-message'), () => notices.close(notice), {
        icon: 'close',
        square: true,
        class: 'ghost',
      })}
    </div>`;
  }
}
