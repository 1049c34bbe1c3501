/** The preview with its style sheet: loaded with the first preview. */
export { default as style } from '../styles/preview.css';
export { previewView } from './previewView.js';
