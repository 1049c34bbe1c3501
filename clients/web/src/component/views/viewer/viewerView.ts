/** A page at full size: zoom, its neighbours, its barcodes. */
import { html, nothing, type TemplateResult } from 'lit-html';
import { ref } from 'lit-html/directives/ref.js';
import type { Barcode } from '../../../client/shapes.js';
import type { Sheet } from '../../pages/page.js';
import { button } from '../../pieces/button.js';
import { pageIcons } from '../../pieces/pageIcons.js';
import { symbologyWord } from '../symbologies.js';
import type { PagesParts } from '../parts.js';
import { wholePicture } from './wholePicture.js';
import { GROUND, sizeStyle, type Viewer } from './viewer.js';
import { onViewerKey } from './viewerKeys.js';

export function viewerView(viewer: Viewer, parts: PagesParts): TemplateResult {
  const { words } = parts.context;
  const { sheet, dragging } = viewer;
  const barcodes = sheet?.page.barcodes ?? [];
  const onKey = (event: KeyboardEvent): void => {
    if (onViewerKey(event, viewer, words)) event.preventDefault();
  };
  const onWheel = { handleEvent: viewer.onWheel, passive: false };
  return html`<dialog
    id="viewer"
    class="viewer"
    part="viewer"
    lang=${words.language}
    dir=${words.direction}
    aria-label=${words('viewer.label')}
    ${ref(viewer.takeDialog)}
    @close=${viewer.onClosed}
    @keydown=${onKey}
  >
    <div class="viewer-bar">${sheet ? barOf(viewer, parts, sheet) : nothing}</div>
    <div
      id=${GROUND}
      class="ground"
      tabindex="0"
      role="group"
      aria-label=${words('viewer.ground')}
      ${ref(viewer.takeGround)}
      @wheel=${onWheel}
      @pointerdown=${dragging.onDown}
      @pointermove=${dragging.onMove}
      @pointerup=${dragging.onUp}
      @pointercancel=${dragging.onUp}
    >
      ${sheet ? pictureOf(viewer, parts, sheet) : nothing}
    </div>
    ${barcodes.length > 0 ? codesOf(words('viewer.barcodes'), barcodes) : nothing}
  </dialog>`;
}

function barOf(viewer: Viewer, { context, stack, onSave }: PagesParts, sheet: Sheet): TemplateResult {
  const { words } = context;
  const number = stack.numberOf(sheet);
  const square = { square: true } as const;
  return html`<div class="tools">
      ${button(words('viewer.previous'), () => viewer.step(-1), {
        ...square,
        icon: pageIcons.left,
        class: 'onwards',
        off: !stack.beside(sheet, -1),
      })}
      <h2 class="viewer-title" aria-live="polite">${words('pages.page-of', { number, total: stack.all.length })}</h2>
      ${button(words('viewer.next'), () => viewer.step(1), {
        ...square,
        icon: pageIcons.right,
        class: 'onwards',
        off: !stack.beside(sheet, 1),
      })}
    </div>
    <div class="tools">
      ${button(words('viewer.smaller'), () => viewer.zoomBy(-1), { ...square, icon: pageIcons.minus })}
      <span class="viewer-level" aria-live="polite">${percent(viewer, words)}</span>
      ${button(words('viewer.larger'), () => viewer.zoomBy(1), { ...square, icon: pageIcons.plus })}
      ${button(words('viewer.fit'), () => viewer.zoom())}
      ${button(words.number(1, { style: 'percent' }), () => viewer.zoom(1))}
    </div>
    <div class="tools">
      ${button(words('pages.turn-left'), () => viewer.turn(270), { ...square, icon: 'turn', class: 'turn-left' })}
      ${button(words('pages.turn-right'), () => viewer.turn(90), { ...square, icon: 'turn' })}
      ${onSave ? button(words('pages.save'), () => onSave([sheet]), { icon: 'save', class: 'viewer-save' }) : nothing}
      ${button(words('viewer.close'), viewer.close, { ...square, icon: 'close' })}
    </div>`;
}

const percent = ({ factor }: Viewer, words: PagesParts['context']['words']): string =>
  words.number(factor, { style: 'percent', maximumFractionDigits: 0 });

function pictureOf(viewer: Viewer, parts: PagesParts, sheet: Sheet): TemplateResult {
  const { context, stack } = parts;
  const { words } = context;
  const number = stack.numberOf(sheet);
  const alt = words('pages.picture', { number, scanner: sheet.scanner });
  const options = { words, page: sheet.page, turn: stack.turnOf(sheet), alt };
  return wholePicture({ ...options, factor: viewer.factor, style: sizeStyle(viewer, parts) });
}

/** Focusable, so that the keyboard can scroll it. */
const codesOf = (label: string, barcodes: readonly Barcode[]): TemplateResult =>
  html`<ul class="viewer-codes" aria-label=${label} tabindex="0">
    ${barcodes.map(
      ({ text, barcodeType }) =>
        html`<li><span class="viewer-type">${symbologyWord(barcodeType)}</span><span dir="auto">${text}</span></li>`,
    )}
  </ul>`;
