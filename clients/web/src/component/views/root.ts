/** The whole component: scanners on one side, their pages on the other. */
import { html, nothing, type TemplateResult } from 'lit-html';
import type { ScanDialog } from '../scanDialog.js';
import { COMMAND } from '../keys/keys.js';
import type { LateDialog, LatePart } from '../lateParts.js';
import type { Saving } from '../output/saving.js';
import type { previewView } from '../settings/previewView.js';
import { bytesOfAll, sizeWord } from '../sizes.js';
import { activityView } from './activity.js';
import { button } from '../pieces/button.js';
import { factsView } from './facts.js';
import { noticesView } from './notices.js';
import { panelView } from './panel.js';
import type { PagesParts } from './parts.js';
import { savedView, savingActivityView, savingView } from './saving.js';
import { stageView } from './stage.js';
import { stripView } from './strip/strip.js';
import { savedDocumentsView, waitingView } from './waiting.js';

export interface RootParts {
  readonly dialog: ScanDialog;
  readonly pages: PagesParts;
  readonly preview: LatePart<typeof previewView>;
  readonly viewer: LatePart<LateDialog>;
  readonly keyList: LatePart<LateDialog>;
  /** Undefined: the element does not save. */
  readonly saving: Saving | undefined;
  /** Whether there is room for the settings beside the pages. */
  readonly isWide: boolean;
}

export function rootView(parts: RootParts): TemplateResult {
  const { dialog, pages, preview, viewer, keyList, saving, isWide } = parts;
  const { context, options, shownDocument, chosen, job } = dialog;
  const { words } = context;
  const has = shownDocument.stack.all.length > 0;
  const { scans, saved, isLooking } = dialog.waiting;
  return html`<div
      class="scan-dialog"
      lang=${words.language}
      dir=${words.direction}
      data-under=${job.activity?.kind ?? 'nothing'}
    >
      ${
        chosen.canScan
          ? html`<button type="button" id="skip" class="skip" @click=${toScan}>${words('scan.skip')}</button>`
          : nothing
      }
      <div id="waiting" role="status" aria-busy=${isLooking ? 'true' : nothing}>
        ${dialog.aside?.()}${scans.length > 0 ? waitingView(dialog) : nothing}
      </div>
      ${panelView(dialog, isWide)}
      <section class="pages" id="pages" part="pages" tabindex="-1" aria-labelledby="pages-title">
        ${headView(parts)} ${saving ? savedView(dialog) : nothing} ${noticesView(dialog)} ${activityView(dialog)}
        ${saving ? savingActivityView(saving, context) : nothing}
        <slot name="tray"></slot>
        ${has ? nothing : emptyView(dialog)}
        ${
          has
            ? html`<div class="work" id="work">
                ${stripView(pages)}
                <div class="sheet-and-facts ${options.actions.has('facts') ? '' : 'alone'}">
                  ${stageView(pages)} ${options.actions.has('facts') ? factsView(pages) : nothing}
                </div>
              </div>`
            : nothing
        }
        ${saved.length > 0 ? savedDocumentsView(dialog) : nothing}
      </section>
    </div>
    ${viewer.now?.draw() ?? nothing} ${keyList.now?.draw() ?? nothing}
    ${(chosen.preview.isOpen ? preview.wanted : preview.now)?.(chosen.preview, context) ?? nothing}`;
}

/** Past the settings. */
const toScan = ({ currentTarget }: Event): void =>
  ((currentTarget as Element).getRootNode() as ShadowRoot).getElementById('scan')?.focus();

function headView({ dialog, saving, pages }: RootParts): TemplateResult {
  const { context, shownDocument, options, delivery } = dialog;
  const { stack, undo, redo, remove } = shownDocument;
  const { words } = context;
  const count = stack.all.length;
  const isHistory = stack.canUndo || stack.canRedo;
  return html`<div class="head">
    <h2 id="pages-title"><slot name="title">${words('dialog.pages')}</slot></h2>
    <span class="count" id="count">${count > 0 ? words.number(count) : ''}</span>
    ${
      count > 0
        ? html`<span class="soft" id="size"
            >${words('dialog.size', { size: sizeWord(words, bytesOfAll(stack.all)) })}</span
          >`
        : nothing
    }
    <div class="tools" id="tools">
      ${
        isHistory
          ? html`${button(words('dialog.undo'), undo, { id: 'undo', icon: 'undo', square: true, class: 'ghost', off: !stack.canUndo, keys: `${COMMAND}+Z` })}
            ${button(words('dialog.redo'), redo, { id: 'redo', icon: 'redo', square: true, class: 'ghost', off: !stack.canRedo, keys: `${COMMAND}+Y` })}`
          : nothing
      }
      ${count > 0 && saving ? savingView(saving, pages) : nothing}
      ${
        count > 0
          ? button(words('dialog.remove-all'), () => remove(stack.all), {
              id: 'clear',
              icon: 'trash',
              class: 'ghost',
            })
          : nothing
      }
      ${
        count > 0 && options.actions.has('done')
          ? html`<button
              type="button"
              id="done"
              class="primary"
              part="done-button"
              aria-keyshortcuts="${COMMAND}+Shift+Enter"
              aria-disabled=${dialog.job.activity || delivery.isWorking ? 'true' : nothing}
              @click=${() => dialog.job.activity || void delivery.run()}
            >
              <slot name="done">${words('done.done')}</slot>
            </button>`
          : nothing
      }
    </div>
    ${
      delivery.isWorking
        ? html`<div class="activity" id="handing-over">
            <div class="words"><strong class="activity-title">${words('done.working')}</strong></div>
            ${button(words('done.cancel'), delivery.cancel, { icon: 'stop', class: 'danger' })}
            <div class="progress" role="progressbar" aria-label=${words('done.working')}></div>
          </div>`
        : nothing
    }
  </div>`;
}

function emptyView({ context: { words }, chosen: { scanners }, job }: ScanDialog): TemplateResult {
  const { chosen } = scanners;
  const text = job.activity
    ? words(`empty.under-${job.activity.kind}`)
    : chosen
      ? words(chosen.hasFeeder ? 'empty.feeder' : 'empty.flatbed', { scanner: chosen.name })
      : words('empty.choose');
  return html`<section class="empty" id="empty" part="empty" aria-label=${words('empty.title')}>
    <svg class="art" viewBox="0 0 200 130" aria-hidden="true">
      <path class="art-floor" d="M18 118h164" />
      <path class="art-paper" d="M62 8h64l14 14v48H62z" />
      <path class="art-line" d="M126 8v14h14M74 30h40M74 40h52M74 50h46" />
      <rect class="art-body" x="30" y="62" width="140" height="46" rx="9" />
      <path class="art-slot" d="M48 76h104" />
      <path class="art-light" d="M56 92h88" />
      <circle class="art-lamp" cx="156" cy="92" r="3.5" />
    </svg>
    <h3>${words('empty.title')}</h3>
    <p id="empty-text"><slot name="empty">${text}</slot></p>
    <p class="soft">${words('empty.kept')}</p>
  </section>`;
}
