/** The sentences of the list of keys beside the component's, in Japanese. */
import type { KeySentences } from './en.js';

export const ja: KeySentences = {
  'keys.title': 'キーボードショートカット',
  'keys.or': 'または',
  'keys.anywhere': 'どこでも（そのキーを使うテキスト欄を除く）',
  'keys.thumbnail': 'サムネイルの上で',
  'keys.select': '別のページを表示',
  'keys.mark-to': 'そこまでのページを選択',
  'keys.mark': 'ページを選択または選択解除',
  'keys.mark-all': 'すべてのページを選択',
  'keys.move': 'ページ（選択中ならそのすべて）を並べ替え',
  'keys.move-area': '範囲を移動',
  'keys.size-area': '範囲のサイズを変更',
  'key.Control': 'Ctrl',
  'key.Shift': 'Shift',
  'key.Enter': 'Enter',
  'key.Escape': 'Esc',
  'key.Home': 'Home',
  'key.End': 'End',
  'key.Arrows': '矢印キー',
  'key.Space': 'スペース',
  'key.Delete': 'Delete',
  'key.PageUp': 'Page Up',
  'key.PageDown': 'Page Down',
};
