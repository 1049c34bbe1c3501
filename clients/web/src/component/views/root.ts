/** The whole component: scanners on one side, their pages on the other. */
import { html, nothing, type TemplateResult } from 'lit-html';
import type { Desk } from '../desk.js';
import type { Later } from '../later.js';
import type { Saving } from '../output/saving.js';
import type { previewView } from '../settings/previewView.js';
import type { settingsView } from '../settings/settingsView.js';
import { bytesOfAll, sizeWord } from '../sizes.js';
import { activityView } from './activity.js';
import { button } from '../pieces/button.js';
import type { factsView } from './facts.js';
import { noticesView } from './notices.js';
import { panelView } from './panel.js';
import type { PagesParts } from './parts.js';
import type { savedView, savingActivityView, savingView } from './saving.js';
import { stageView } from './stage.js';
import { stripView } from './strip.js';
import type { ViewerPart } from './viewerPart.js';
import type { savedDocumentsView, waitingView } from './waiting.js';

export interface SavingPart {
  readonly savingActivityView: typeof savingActivityView;
  readonly savedView: typeof savedView;
  readonly savingView: typeof savingView;
  readonly saving: Saving;
}

export interface RootParts {
  readonly desk: Desk;
  readonly pages: PagesParts;
  readonly settings: Later<typeof settingsView>;
  readonly facts: Later<typeof factsView>;
  readonly preview: Later<typeof previewView>;
  readonly viewer: Later<ViewerPart>;
  readonly waiting: Later<{
    readonly waitingView: typeof waitingView;
    readonly savedDocumentsView: typeof savedDocumentsView;
  }>;
  /** Undefined: the element does not save. */
  readonly saving: SavingPart | undefined;
  /** Whether there is room for the settings beside the pages. */
  readonly isWide: boolean;
  onKey(event: KeyboardEvent): void;
}

export function rootView(parts: RootParts): TemplateResult {
  const { desk, pages, settings, facts, preview, viewer, waiting, saving, isWide, onKey } = parts;
  const { context, options, stack, job } = desk;
  const { words } = context;
  const has = stack.all.length > 0;
  const { scans, saved, isLooking } = desk.waiting;
  const offers = scans.length + saved.length > 0 ? waiting.wanted : undefined;
  return html`<div
      class="desk"
      lang=${words.language}
      dir=${words.direction}
      data-under=${job.activity?.kind ?? 'nothing'}
      @keydown=${onKey}
    >
      <div id="waiting" role="status" aria-busy=${isLooking ? 'true' : nothing}>
        ${desk.aside?.()}${scans.length > 0 ? offers?.waitingView(desk) : nothing}
      </div>
      ${panelView(desk, settings, isWide)}
      <section class="pages" id="pages" part="pages" tabindex="-1" aria-labelledby="pages-title">
        ${headView(parts)} ${saving?.savedView(desk) ?? nothing} ${noticesView(desk)} ${activityView(desk)}
        ${saving?.savingActivityView(saving.saving, context) ?? nothing}
        <slot name="tray"></slot>
        ${has ? nothing : emptyView(desk)}
        ${
          has
            ? html`<div class="work" id="work">
                ${stripView(pages)}
                <div class="sheet-and-facts ${options.actions.has('facts') ? '' : 'alone'}">
                  ${stageView(pages)} ${options.actions.has('facts') ? (facts.wanted?.(pages) ?? nothing) : nothing}
                </div>
              </div>`
            : nothing
        }
        ${saved.length > 0 ? offers?.savedDocumentsView(desk) : nothing}
      </section>
    </div>
    ${viewer.now?.draw() ?? nothing}
    ${(desk.preview.isOpen ? preview.wanted : preview.now)?.(desk.preview, context) ?? nothing}`;
}

function headView({ desk, saving, pages }: RootParts): TemplateResult {
  const { context, stack, options, handOver } = desk;
  const { words } = context;
  const count = stack.all.length;
  const isHistory = stack.canUndo || stack.canRedo;
  return html`<div class="head">
    <h2 id="pages-title"><slot name="title">${words('desk.pages')}</slot></h2>
    <span class="count" id="count">${count > 0 ? words.number(count) : ''}</span>
    ${
      count > 0
        ? html`<span class="soft" id="size"
            >${words('desk.size', { size: sizeWord(words, bytesOfAll(stack.all)) })}</span
          >`
        : nothing
    }
    <div class="tools" id="tools">
      ${
        isHistory
          ? html`${button(words('desk.undo'), desk.undo, { id: 'undo', icon: 'undo', square: true, class: 'ghost', off: !stack.canUndo })}
            ${button(words('desk.redo'), desk.redo, { id: 'redo', icon: 'redo', square: true, class: 'ghost', off: !stack.canRedo })}`
          : nothing
      }
      ${count > 0 && saving ? saving.savingView(saving.saving, pages) : nothing}
      ${
        count > 0
          ? button(words('desk.remove-all'), () => desk.remove(stack.all), {
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
              aria-disabled=${desk.job.activity || handOver.isWorking ? 'true' : nothing}
              @click=${() => desk.job.activity || void handOver.run()}
            >
              <slot name="done">${words('done.done')}</slot>
            </button>`
          : nothing
      }
    </div>
    ${
      handOver.isWorking
        ? html`<div class="activity" id="handing-over">
            <div class="words"><strong class="activity-title">${words('done.working')}</strong></div>
            ${button(words('done.cancel'), handOver.cancel, { icon: 'stop', class: 'danger' })}
            <div class="progress" role="progressbar" aria-label=${words('done.working')}></div>
          </div>`
        : nothing
    }
  </div>`;
}

function emptyView({ context: { words }, scanners, job }: Desk): TemplateResult {
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
