/** What `diagnose()` finds, in Arabic. */
import type { findings as english } from '../en/findings.js';
import type { Message } from '../en.js';

export const findings = {
  'finding.unreachable.sentence':
    'لا توجد استجابة من \u2066{address}\u2069: خدمة المسح الضوئي غير مثبَّتة، أو لا تعمل، أو أن هذا المتصفح لا يثق بشهادتها.',
  'finding.unreachable.remedy':
    'افتح \u2066{address}/\u2069 في علامة تبويب جديدة. إذا ظهر تحذير بشأن الشهادة، فنفِّذ الأمر «platen cert install» وأعد تشغيل المتصفح. وإذا تعذّر الاتصال، فشغِّل الخدمة، أو ثبِّتها أولًا.',
  'finding.unreachable-or-not-allowed.sentence':
    'لا توجد استجابة من \u2066{address}\u2069: خدمة المسح الضوئي غير مثبَّتة، أو لا تعمل، أو أن هذا المتصفح لا يثق بشهادتها، أو لم يُختَر «السماح» عندما سأل المتصفح عن الشبكة المحلية.',
  'finding.unreachable-or-not-allowed.remedy':
    'افتح \u2066{address}/\u2069 في علامة تبويب جديدة. إذا ظهر تحذير بشأن الشهادة، فنفِّذ الأمر «platen cert install» وأعد تشغيل المتصفح. وإذا تعذّر الاتصال، فشغِّل الخدمة، أو ثبِّتها أولًا. وإذا ظهرت صفحة الخدمة، فأعد تحميل هذه الصفحة واسمح لها بالوصول إلى هذا الكمبيوتر عندما يسألك المتصفح.',
  'finding.refused-port.sentence':
    'لا يوجد برنامج يستقبل الاتصالات على \u2066{address}\u2069: خدمة المسح الضوئي غير مثبَّتة أو لا تعمل.',
  'finding.refused-port.remedy':
    'شغِّل الخدمة، أو ثبِّتها أولًا. وإذا لم تبدأ، فنفِّذ الأمر «platen doctor» على ذلك الكمبيوتر لمعرفة السبب.',
  'finding.untrusted.sentence': 'شهادة خدمة المسح الضوئي على \u2066{address}\u2069 غير موثوق بها.',
  'finding.untrusted.remedy':
    'نفِّذ الأمر «platen cert install» على هذا الكمبيوتر، وأعد تشغيل البرنامج الذي أجرى الاتصال. أما في Node فاضبط المتغير NODE_EXTRA_CA_CERTS.',
  'finding.not-asked.sentence': 'لم يسأل المتصفح بعدُ هل يُسمح لهذه الصفحة بالوصول إلى البرامج على هذا الكمبيوتر.',
  'finding.not-asked.remedy': 'اتصل بخدمة المسح الضوئي، واختر «سماح» أو «اسمح» عندما يسألك المتصفح.',
  'finding.asking.sentence': 'يسأل المتصفح هل يُسمح لهذه الصفحة بالوصول إلى البرامج على هذا الكمبيوتر.',
  'finding.asking.remedy': 'اختر «سماح» أو «اسمح» عندما يسألك المتصفح. وإذا لم ترَ سؤالًا، فأعد تشغيل خدمة المسح الضوئي.',
  'finding.denied.sentence': 'لا يسمح المتصفح لهذه الصفحة بالوصول إلى البرامج على هذا الكمبيوتر.',
  'finding.denied.remedy':
    'انقر على «عرض معلومات الموقع» بجانب العنوان، واسمح بـ«التطبيقات على الجهاز» (في الإصدارات الأقدم: «الوصول إلى الشبكة المحلية»)، ثم أعد تحميل الصفحة. وإذا تعذّر تغييره هناك، فالقرار للمسؤول.',
  'finding.denied-in-firefox.sentence': 'لا يسمح \u2066Firefox\u2069 لهذه الصفحة بالوصول إلى البرامج على هذا الكمبيوتر.',
  'finding.denied-in-firefox.remedy':
    'انقر على أيقونة الأذونات بجانب العنوان، وامسح «الوصول إلى هذا الجهاز»، ثم أعد تحميل الصفحة واختر «اسمح».',
  'finding.denied-in-frame.sentence': 'لا يسمح \u2066Firefox\u2069 لهذا الإطار بالوصول إلى البرامج على هذا الكمبيوتر.',
  'finding.denied-in-frame.remedy':
    'انقر على أيقونة الأذونات بجانب العنوان. إذا كان «الوصول إلى هذا الجهاز» محجوبًا هناك، فامسحه، ثم أعد تحميل الصفحة واختر «اسمح». وإذا لم يكن محجوبًا، فيجب أن تسمح به الصفحة التي تضم هذا الإطار: \u2066<iframe allow="local-network-access; loopback-network">\u2069.',
  'finding.frame-not-allowed.sentence': 'لا تسمح الصفحة التي تضم هذا الإطار له بالوصول إلى البرامج على هذا الكمبيوتر.',
  'finding.frame-not-allowed.remedy':
    'ضمِّن الإطار باستخدام \u2066<iframe allow="local-network-access; loopback-network">\u2069.',
  'finding.insecure.sentence':
    'حُمِّلت هذه الصفحة عبر HTTP غير المشفَّر، ولا يسمح المتصفح إلا للصفحات الآمنة بالوصول إلى البرامج على هذا الكمبيوتر.',
  'finding.insecure.remedy': 'قدِّم الصفحة عبر HTTPS.',
  'finding.policy.sentence': 'تمنع Content-Security-Policy الخاصة بهذه الصفحة الاتصال بخدمة المسح الضوئي.',
  'finding.policy.remedy':
    'أضف \u2066{address}\u2069 إلى connect-src في Content-Security-Policy الخاصة بالصفحة (وإلى script-src إذا كانت الوحدة البرمجية تُستورد من هناك).',
  'finding.refused.sentence':
    'يوجد برنامج يستجيب على \u2066{address}\u2069، لكن ليس لهذه الصفحة: إما أن أصل هذه الصفحة (origin) غير مدرج في تكوين الخدمة، أو أن برنامجًا آخر يستخدم المنفذ.',
  'finding.refused.remedy':
    'أضف أصل هذه الصفحة إلى security.origins في تكوين الخدمة، ثم أعد تشغيل الخدمة. وإذا كان مدرجًا، فنفِّذ الأمر «platen doctor» لمعرفة البرنامج الذي يستخدم المنفذ.',
  'finding.consent-required.sentence': 'لا يُسمح لهذه الصفحة بالمسح الضوئي بعد: لم يسمح لها أحد على هذا الكمبيوتر.',
  'finding.consent-required.remedy': 'افتح \u2066{link}\u2069 واسمح لهذه الصفحة، ثم أعد المحاولة.',
  'finding.consent-refused.sentence': 'لم يُسمح لهذه الصفحة بالمسح الضوئي على هذا الكمبيوتر.',
  'finding.consent-refused.remedy': 'لتغيير الإجابة، افتح \u2066{link}\u2069.',
  'finding.token-required.sentence':
    'لا تقبل خدمة المسح الضوئي على \u2066{address}\u2069 اتصالات البرامج إلا برمزها المميّز.',
  'finding.token-required.remedy':
    'مرِّر الرمز المميّز إلى \u2066createClient({ token })\u2069: تجده في الملف \u2066local.token\u2069 في مجلد بيانات الخدمة.',
  'finding.other.sentence': 'البرنامج الذي يستجيب على \u2066{address}\u2069 ليس خدمة المسح الضوئي.',
  'finding.other.remedy':
    'نفِّذ الأمر «platen doctor» لمعرفة البرنامج الذي يستخدم المنفذ. أنهِ ذلك البرنامج، أو اضبط PLATEN_PORT على منفذ آخر واستخدم العنوان الجديد في الصفحة.',
  'finding.outdated.sentence': 'خدمة المسح الضوئي قديمة جدًا: لا تُعلِن رقم إصدارها.',
  'finding.outdated.remedy': 'حدِّث خدمة المسح الضوئي على هذا الكمبيوتر.',
  'finding.silent.sentence': 'خدمة المسح الضوئي على \u2066{address}\u2069 لا تستجيب.',
  'finding.silent.remedy': 'أعد تشغيل الخدمة.',
  'finding.unhealthy.sentence': 'تُبلِّغ خدمة المسح الضوئي عن خلل فيها.',
  'finding.unhealthy.remedy':
    'راجع سجل الخدمة، أو نفِّذ الأمر «platen doctor» على ذلك الكمبيوتر: يفحص كل ما تحتاج إليه الخدمة.',
  'finding.desktop-away.sentence': 'تطبيق سطح المكتب الذي يدير الماسحات الضوئية غير متصل بخدمة المسح الضوئي.',
  'finding.desktop-away.remedy':
    'شغِّل تطبيق سطح المكتب («platen host») في جلسة الشخص الذي يجري المسح. ستعثر عليه الخدمة خلال 5 ثوانٍ.',
  'finding.no-scanner.sentence': 'لم تعثر خدمة المسح الضوئي على أي ماسح ضوئي.',
  'finding.no-scanner.remedy': 'وصِّل الماسح الضوئي وشغِّله. وإذا كان يعمل، فثبِّت برنامج تشغيله.',
  'finding.offline.sentence': 'لا يوجد ماسح ضوئي متصل: \u2068{scanners}\u2069.',
  'finding.offline.remedy': 'شغِّل الماسح الضوئي، وتحقق من الكبل أو الشبكة.',
} as const satisfies Readonly<Record<keyof typeof english, Message>>;
