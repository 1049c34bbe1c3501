/** The preview of the flatbed, on which the user draws the area to scan. The dialog element keeps the focus and closes on Escape. */
import type { Area, ScannedPage } from '../client.js';
import { createAreaDrawing } from './areaDrawing.js';
import { createAreaFields } from './areaFields.js';
import type { AreaLimits } from './areaGeometry.js';
import { announce } from './announcer.js';
import { button, byId, element, fill } from './element.js';

const dialog = byId('preview-dialog', HTMLDialogElement);
const MM_PER_INCH = 25.4;

export interface PreviewParts {
  /** Scans the flatbed again. */
  onAgain(): void;
  /** @param area undefined: the whole page */
  onUse(area: Area | undefined): void;
}

export interface Preview {
  /**
   * @param page whole flatbed
   * @param limits of an area there, in mm
   * @param start undefined: the whole page
   */
  open(page: ScannedPage, limits: AreaLimits, start: Area | undefined): void;
}

export function createPreview({ onAgain, onUse }: PreviewParts): Preview {
  let area: Area | undefined;
  const leave = (then: () => void): void => {
    dialog.close();
    then();
  };
  dialog.addEventListener('close', () => {
    fill(dialog);
    // The settings may have been drawn again.
    document.getElementById('preview')?.focus();
  });

  return {
    open(page, limits, start) {
      const picture = element('img', { alt: 'What is on the flatbed', width: page.width, height: page.height });
      const url = URL.createObjectURL(page.blob);
      for (const end of ['load', 'error'])
        picture.addEventListener(end, () => URL.revokeObjectURL(url), { once: true });
      picture.src = url;
      const mm = (pixels: number): number => (pixels / page.resolution) * MM_PER_INCH;
      const onGlass = {
        ...limits,
        width: mm(page.width),
        height: mm(page.height),
      };
      const keep = (next: Area | undefined): void => {
        area = next;
        drawing.show(next);
        fields.show(next);
      };
      const drawing = createAreaDrawing(picture, onGlass, keep);
      const fields = createAreaFields(limits, keep);
      drawing.node.style.aspectRatio = `${page.width} / ${page.height}`;
      drawing.node.style.setProperty('--shape', String(page.width / page.height));
      keep(start);
      fill(
        dialog,
        element(
          'div',
          { class: 'head' },
          element('h2', { id: 'preview-title' }, 'Preview of the flatbed'),
          button('Close', () => dialog.close(), { icon: 'close', square: true, class: 'ghost' }),
        ),
        element('div', { class: 'preview-ground' }, drawing.node),
        element(
          'div',
          { class: 'preview-side' },
          element('p', { class: 'hint' }, 'Draw the area to scan, or enter it in millimetres.'),
          fields.node,
          element(
            'div',
            { class: 'tools' },
            button('Whole page', () => keep(undefined)),
            button('Preview again', () => leave(onAgain), { icon: 'refresh' }),
          ),
          button(
            'Use this area',
            () =>
              leave(() => {
                onUse(area);
                announce(area ? 'The area is set' : 'The whole page is scanned');
                document.getElementById('preview')?.focus();
              }),
            { class: 'primary' },
          ),
        ),
      );
      dialog.showModal();
      drawing.frame.focus();
    },
  };
}
