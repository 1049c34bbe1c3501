/** The preview as a dialog. Closed, it gives the focus back to the button that opened it. */
import { html, nothing, type TemplateResult } from 'lit-html';
import { ref } from 'lit-html/directives/ref.js';
import type { Context } from '../context.js';
import { button } from '../pieces/button.js';
import { areaDrawing } from './area/areaDrawing.js';
import { areaFields } from './area/areaFields.js';
import type { Preview, Previewed } from './preview.js';

/** It is loaded with the first preview. */
export { default as style } from '../styles/preview.css';

export function previewView(preview: Preview, context: Context): TemplateResult {
  const { language, direction } = context.words;
  const onClose = (): void => {
    preview.close();
    context.focus('preview');
  };
  return html`<dialog
    class="preview"
    id="preview-dialog"
    lang=${language}
    dir=${direction}
    aria-labelledby="preview-title"
    ${modal(preview.isOpen)}
    @close=${onClose}
  >
    ${preview.shown ? content(preview, preview.shown, context) : nothing}
  </dialog>`;
}

function content(preview: Preview, shown: Previewed, { words }: Context): TemplateResult {
  const { limits } = shown;
  return html`<div class="head">
      <h2 id="preview-title">${words('preview.title')}</h2>
      ${button(words('preview.close'), () => preview.close(), { icon: 'close', square: true, class: 'ghost' })}
    </div>
    <div class="preview-ground">${areaDrawing(preview, shown, words)}</div>
    <div class="preview-side">
      <p class="hint">${words('preview.hint')}</p>
      ${areaFields({ id: 'preview-area', area: () => preview.shown?.area, limits, onChange: preview.setArea }, words)}
      <div class="tools">
        ${button(words('settings.area.whole'), () => preview.setArea(undefined))}
        ${button(words('preview.again'), () => preview.again(), { icon: 'refresh' })}
      </div>
      ${button(words('preview.use'), () => preview.use(), { class: 'primary' })}
    </div>`;
}

/** Shows and closes the dialog as its state says. The browser keeps the focus inside, and closes it on Escape. */
const modal = (isOpen: boolean): ReturnType<typeof ref> =>
  ref(element => {
    if (!(element instanceof HTMLDialogElement)) return;
    // Its content is drawn after it.
    queueMicrotask(() => {
      if (!element.isConnected || element.open === isOpen) return;
      if (isOpen) element.showModal();
      else element.close();
    });
  });
