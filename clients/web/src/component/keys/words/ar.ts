/** The sentences of the list of keys beside the component's, in Arabic. */
import type { KeySentences } from './en.js';

export const ar: KeySentences = {
  'keys.title': 'اختصارات لوحة المفاتيح',
  'keys.or': 'أو',
  'keys.anywhere': 'في أي مكان، إلا في حقل نص يستخدم المفتاح',
  'keys.thumbnail': 'على صورة مصغّرة',
  'keys.select': 'اختيار صفحة أخرى',
  'keys.mark-to': 'تحديد الصفحات حتى هناك',
  'keys.mark': 'تحديد الصفحة أو إلغاء تحديدها',
  'keys.mark-all': 'تحديد كل الصفحات',
  'keys.move': 'نقل الصفحة، أو كل الصفحات المحددة',
  'keys.move-area': 'تحريك المنطقة',
  'keys.size-area': 'تغيير حجم المنطقة',
  'key.Control': 'Ctrl',
  'key.Shift': 'Shift',
  'key.Enter': 'Enter',
  'key.Escape': 'Esc',
  'key.Home': 'Home',
  'key.End': 'End',
  'key.Arrows': 'مفاتيح الأسهم',
  'key.Space': 'مسافة',
  'key.Delete': 'Delete',
  'key.PageUp': 'Page Up',
  'key.PageDown': 'Page Down',
};
