/** The component's style sheets, shared by all of them on a page. */
import base from './styles/base.css';
import controls from './styles/controls.css';
import layout from './styles/layout.css';
import pages from './styles/pages.css';

const sheets = new Map<string, CSSStyleSheet>();

/** A constructed style sheet, which a strict Content-Security-Policy allows. */
export function styleSheet(text: string): CSSStyleSheet {
  const known = sheets.get(text);
  if (known) return known;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  sheets.set(text, sheet);
  return sheet;
}

/** Those of what every component shows; the other parts have their own. */
export const styles = (): CSSStyleSheet[] => [base, controls, layout, pages].map(styleSheet);
