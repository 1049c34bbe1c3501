/** The component's style sheets, shared by all of them on a page. */
import base from './styles/base.css';
import controls from './styles/controls.css';
import layout from './styles/layout.css';
import pages from './styles/pages.css';
import preview from './styles/preview.css';
import viewer from './styles/viewer.css';

let sheets: CSSStyleSheet[] | undefined;

/** Constructed style sheets, which a strict Content-Security-Policy allows. */
export function styles(): CSSStyleSheet[] {
  sheets ??= [base, controls, layout, pages, viewer, preview].map(text => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    return sheet;
  });
  return sheets;
}
