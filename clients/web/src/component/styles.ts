/** The component's style sheets, shared by all of them on a page. */
import asking from './styles/asking.css';
import base from './styles/base.css';
import controls from './styles/controls.css';
import facts from './styles/facts.css';
import fields from './styles/fields.css';
import layout from './styles/layout.css';
import pages from './styles/pages.css';
import saving from './styles/saving.css';

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

/** Those but of the viewer, the preview and printing, which come when they are used. */
export const styles = (): CSSStyleSheet[] =>
  [base, controls, layout, pages, fields, facts, saving, asking].map(styleSheet);
