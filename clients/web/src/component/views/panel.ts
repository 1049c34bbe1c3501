/** The side of the scanners: which one, its settings, and the buttons that scan. */
import { html, nothing, type TemplateResult } from 'lit-html';
import type { ScanDialog } from '../scanDialog.js';
import { COMMAND } from '../keys/keys.js';
import { settingsView } from '../settings/settingsView.js';
import { button } from '../pieces/button.js';
import { icon } from '../pieces/icon.js';
import { scannersView } from './scanners.js';

export function panelView(dialog: ScanDialog, isWide: boolean): TemplateResult {
  const { context, options, chosen, job } = dialog;
  const { scanners, settings } = chosen;
  const { words } = context;
  // An application that embeds it has chosen the settings. Above the pages, they would push the pages away.
  const isEmbedded = options.actions.has('done');
  const isFixed = options.scanner !== undefined && scanners.chosen !== undefined;
  return html`<section class="panel" id="panel" part="panel" aria-label=${words('dialog.panel')}>
    <div class="choices" id="choices" tabindex=${job.activity ? 0 : nothing}>
      <fieldset class="plain" id="fields" ?disabled=${job.activity !== undefined}>
        <legend class="unseen">${words('dialog.panel')}</legend>
        ${
          isFixed
            ? nothing
            : html`<section class="block" aria-labelledby="scanner-title">
                <div class="head">
                  <h2 id="scanner-title">${words('scanner.title')}</h2>
                  ${button(words('scanner.refresh'), () => void dialog.look(), {
                    id: 'refresh',
                    icon: 'refresh',
                    class: 'ghost small',
                  })}
                </div>
                ${scannersView(dialog)}
              </section>`
        }
        <details class="block" id="settings" part="settings" ?open=${isWide && !isEmbedded}>
          <summary>
            <h2>${words('dialog.settings')}</h2>
            <span class="digest" id="digest">${settings.digest}</span>
          </summary>
          <div id="controls" class="controls">${settingsView(settings, context)}</div>
        </details>
      </fieldset>
    </div>
    ${actionsView(dialog)}
  </section>`;
}

function actionsView(dialog: ScanDialog): TemplateResult {
  const { context, job, options, chosen, shownDocument } = dialog;
  const { scanners, canScan, feeds } = chosen;
  const { stack, replaced, scanAgain } = shownDocument;
  const { words } = context;
  const under = job.activity?.kind;
  const isAuto = options.actions.has('auto-scan');
  const hint =
    !isAuto || !canScan || feeds
      ? ''
      : words(scanners.chosen?.hasFeeder ? 'scan.auto-needs-source' : 'scan.auto-needs-feeder');
  return html`<div class="actions">
    ${
      replaced
        ? html`<div class="notice note again" role="status">
            <div class="words">
              <strong>${words('scan.again', { page: stack.numberOf(replaced) })}</strong>
              <p>${words('scan.again-remedy')}</p>
            </div>
            ${button(words('scan.again-cancel'), () => scanAgain(undefined), {
              icon: 'close',
              square: true,
              class: 'ghost',
            })}
          </div>`
        : nothing
    }
    <button
      type="button"
      id="scan"
      class="primary large"
      part="scan-button"
      aria-keyshortcuts="${COMMAND}+Enter"
      ?disabled=${!canScan}
      aria-disabled=${under === undefined ? nothing : 'true'}
      @click=${() => void dialog.scan()}
    >
      ${icon('scan')}${words('scan.scan')}
    </button>
    ${
      isAuto
        ? html`<button
            type="button"
            id="auto"
            class="large"
            ?disabled=${under === undefined ? !canScan || !feeds : under !== 'auto'}
            aria-pressed=${String(under === 'auto')}
            @click=${() => (under === 'auto' ? job.end() : void dialog.autoScan())}
          >
            ${icon('auto')}${words('scan.auto')}
          </button>`
        : nothing
    }
    ${isAuto ? html`<p class="hint" id="actions-hint">${hint}</p>` : nothing}
  </div>`;
}
