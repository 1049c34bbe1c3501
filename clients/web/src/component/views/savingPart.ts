/** Saving and printing with their controls: loaded where one of them is offered. */
import fields from '../styles/fields.css';
import print from '../styles/print.css';
import saving from '../styles/saving.css';

export { droppedOf } from '../output/dropped.js';
export { createSaving } from '../output/saving.js';
export { savedView, savingActivityView, savingView } from './saving.js';
export const styles = [fields, saving, print];
