/** How pages are saved and printed: as a PDF at once, the rest in a menu; and what is being saved. */
import { html, nothing, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import type { Context } from '../context.js';
import type { ScanDialog } from '../scanDialog.js';
import { COMMAND } from '../keys/keys.js';
import { isolated } from '../output/names.js';
import type { Saving } from '../output/saving.js';
import type { SavingActivity } from '../output/savingActivity.js';
import { sizeWord } from '../sizes.js';
import type { Words } from '../words/words.js';
import type { Drawn } from '../pieces/controls.js';
import { button } from '../pieces/button.js';
import { icon } from '../pieces/icon.js';
import { pageIcons } from '../pieces/pageIcons.js';
import type { PagesParts } from './parts.js';

type SavingParts = Pick<PagesParts, 'context' | 'stack' | 'onSave' | 'onPrint'>;

export function savingView(saving: Saving, { context, stack, onSave, onPrint }: SavingParts): TemplateResult {
  const { words } = context;
  const hasMarked = stack.marked.length > 0;
  const printAll = button(words('print.all'), () => void saving.print(), { id: 'print-all', icon: 'print' });
  const printMarked = hasMarked ? button(words('print.marked'), () => void saving.print(stack.marked)) : nothing;
  if (!onSave) return html`<div class="saving-tools" part="saving">${onPrint ? printAll : nothing}</div>`;
  const hasPdf = saving.isPdfInstalled;
  const images = button(words('save.images'), () => void saving.saveImages(), {
    id: 'save-all',
    ...(hasPdf ? {} : { class: 'primary', icon: 'save', keys: `${COMMAND}+S` }),
  });
  const pdf = button(words('save.pdf'), () => void saving.savePdf(), {
    id: 'save-pdf',
    icon: 'save',
    class: 'primary',
    part: 'save-pdf',
    keys: `${COMMAND}+S`,
  });
  return html`<div class="saving-tools" part="saving">
    ${hasPdf ? pdf : images}
    <details class="menu" id="save-menu" @keydown=${onMenuKey} @focusout=${onMenuLeft}>
      <summary id="save-menu-summary">${words('save.menu')}</summary>
      <div class="menu-items" tabindex="-1" @click=${closeAfter}>
        ${hasPdf ? images : nothing}
        ${hasMarked && hasPdf ? button(words('save.pdf-marked'), () => void saving.savePdf(stack.marked)) : nothing}
        ${hasMarked ? button(words('save.images-marked'), () => void saving.saveImages(stack.marked)) : nothing}
        ${onPrint ? html`${printAll}${printMarked}` : nothing} ${nameField(saving, words)}
      </div>
    </details>
  </div>`;
}

function nameField(saving: Saving, words: Words): TemplateResult {
  const onInput = ({ currentTarget }: Event): void => {
    saving.pattern = (currentTarget as HTMLInputElement).value;
  };
  return html`<div class="field">
    <label for="file-name">${words('save.name')}</label>
    <input
      id="file-name"
      type="text"
      dir="ltr"
      spellcheck="false"
      autocomplete="off"
      maxlength="200"
      aria-describedby="file-name-hint"
      .value=${live(saving.pattern)}
      @change=${onInput}
    />
    <p class="hint" id="file-name-hint">
      ${words('save.name-hint', { name: isolated(saving.example) })}
      ${saving.fields.map(name => html`<code dir="ltr">{${name}}</code> `)}
    </p>
  </div>`;
}

/** How the document that is shown was saved, and a button for the next one. */
export function savedView({ saved, job, context: { words }, shownDocument, beginDocument }: ScanDialog): Drawn {
  if (!saved) return nothing;
  const { name, bytes } = saved;
  const pages = words('dialog.page-count', { count: shownDocument.stack.all.length });
  return html`<section class="notice note" id="saved" part="notice" aria-label=${words('save.saved-label')}>
    ${icon(pageIcons.check)}
    <div class="words">
      <strong>${words('save.saved', { name: isolated(name) })}</strong>
      <p>${pages} · ${sizeWord(words, bytes)}</p>
      <p class="soft">${words('save.next')}</p>
    </div>
    ${button(words('save.new'), beginDocument, { id: 'new-document', off: job.activity !== undefined })}
  </section>`;
}

const menuOf = ({ currentTarget }: Event): HTMLDetailsElement => currentTarget as HTMLDetailsElement;

function onMenuKey(event: KeyboardEvent): void {
  const menu = menuOf(event);
  if (event.key !== 'Escape' || !menu.open) return;
  event.stopPropagation();
  menu.open = false;
  menu.querySelector('summary')?.focus();
}

/** Closes it when the focus is elsewhere in the page; not when the window loses it. */
function onMenuLeft(event: FocusEvent): void {
  const menu = menuOf(event);
  const { relatedTarget } = event;
  const isInside = relatedTarget instanceof Node && menu.contains(relatedTarget);
  if (!isInside && document.hasFocus()) menu.open = false;
}

function closeAfter({ target, currentTarget }: Event): void {
  if (!(target as Element).closest('button')) return;
  const menu = (currentTarget as Element).closest('details');
  menu?.querySelector('summary')?.focus({ preventScroll: true });
  menu?.removeAttribute('open');
}

/** What is being saved, how much of it is there, and a button that ends it. */
export function savingActivityView(saving: Saving | undefined, context: Context): TemplateResult {
  const { words } = context;
  const now = saving?.activity;
  return html`<div id="saving">${now ? activityOf(now, words, () => cancel(now, context)) : nothing}</div>`;
}

/** The button will be gone. */
function cancel(activity: SavingActivity, context: Context): void {
  activity.cancel();
  context.focus(activity.kind === 'pdf' ? 'save-pdf' : 'save-menu-summary');
}

function activityOf(activity: SavingActivity, words: Words, onCancel: () => void): TemplateResult {
  const { kind, total, done, bytes } = activity;
  const detail =
    kind !== 'pdf'
      ? words('save.done-of', { done, total })
      : bytes > 0
        ? words('save.so-far', { count: total, size: sizeWord(words, bytes) })
        : words('save.writing');
  const title = words(`save.saving-${kind}`);
  return html`<div class="activity">
    <span class="pulse">${icon(kind === 'print' ? 'print' : 'save')}</span>
    <div class="words">
      <strong class="activity-title">${title}</strong>
      <p class="activity-detail">${detail}</p>
    </div>
    ${button(words('save.cancel'), onCancel, { icon: 'stop', class: 'danger', label: words('save.cancel-label') })}
    <div class="progress" role="progressbar" aria-label=${title} aria-valuetext=${detail}></div>
  </div>`;
}
