/** The page's sentences beside the component's, in Arabic. */
import type { Sentences } from './en.js';

export const ar: Sentences = {
  'about.title': 'حول هذا الماسح الضوئي',
  'about.asking': 'جارٍ سؤال برنامج التشغيل…',
  'about.manufacturer': 'الشركة المصنّعة',
  'about.model': 'الطراز',
  'about.state': 'الحالة',
  'about.state.ok': 'لا توجد مشكلة معروفة',
  'about.state.warning': 'يحتاج إلى انتباه',
  'about.state.failed': 'لا يعمل',
  'about.nothing': 'لا يقدّم برنامج التشغيل معلومات أخرى عنه.',
  'about.away': 'الخدمة لا تستجيب.',
  'licence.ends': 'ينتهي ترخيص {plugin} في {day}. أبلغ المسؤول.',
  'licence.grace': 'انتهى ترخيص {plugin} في {day}، ويستمر العمل به حتى {end}. أبلغ المسؤول.',
};
