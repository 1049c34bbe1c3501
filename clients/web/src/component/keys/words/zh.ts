/** The sentences of the list of keys beside the component's, in Chinese. */
import type { KeySentences } from './en.js';

export const zh: KeySentences = {
  'keys.title': '键盘快捷键',
  'keys.or': '或',
  'keys.anywhere': '任何位置（使用该键的文本框除外）',
  'keys.thumbnail': '在缩略图上',
  'keys.select': '切换到其他页面',
  'keys.mark-to': '选择到那里为止的页面',
  'keys.mark': '选择或取消选择页面',
  'keys.mark-all': '选择所有页面',
  'keys.move': '移动页面，或移动所有已选择的页面',
  'keys.move-area': '移动区域',
  'keys.size-area': '改变区域大小',
  'key.Control': 'Ctrl',
  'key.Shift': 'Shift',
  'key.Enter': 'Enter',
  'key.Escape': 'Esc',
  'key.Home': 'Home',
  'key.End': 'End',
  'key.Arrows': '方向键',
  'key.Space': '空格',
  'key.Delete': 'Delete',
  'key.PageUp': 'Page Up',
  'key.PageDown': 'Page Down',
};
