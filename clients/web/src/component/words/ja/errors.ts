/** Failures, in Japanese. */
import type { errors as english } from '../en/errors.js';
import type { Message } from '../en.js';

export const errors = {
  'error.unknown-path.title': 'サービスのバージョンがこのWebページより古くなっています',
  'error.unknown-path.remedy': 'サービスをアップデートしてから、このWebページを再読み込みしてください。',
  'error.unexpected-answer.title': '予期しない応答です',
  'error.unexpected-answer.remedy': 'サービスを再起動してから、このWebページを再読み込みしてください。',
  'error.invalid-value.title': '設定が受け付けられませんでした',
  'error.invalid-value.remedy': '別の値を選んで、もう一度スキャンしてください。原稿は給紙されていません。',
  'error.origin-refused.title': 'このWebページにはスキャンが許可されていません',
  'error.origin-refused.remedy': 'サービスの起動時に表示されるアドレスでWebページを開いてください。',
  'error.consent-required.title': 'このWebページにはまだスキャンが許可されていません',
  'error.consent-required.remedy':
    'スキャンサービスのページで許可してください。許可すると、このWebページは自動的に続行します。',
  'error.consent-refused.title': 'このWebページのスキャンは許可されませんでした',
  'error.consent-refused.remedy': '回答を変更した場合は、ここで「更新」を押してください。',
  'error.token-required.title': 'サービスがトークンを求めています',
  'error.token-required.remedy':
    '「platen origins link」が表示するアドレスを開いてから、このWebページを再読み込みしてください。',
  'consent.answer': '新しいタブで回答',
  'consent.change': '回答を変更',
  'error.device-not-found.title': 'スキャナーが見つからなくなりました',
  'error.device-not-found.remedy': 'スキャナーを接続して電源を入れ、「更新」を押してください。',
  'error.no-source-open.title': '使用中のスキャナーがありません',
  'error.no-source-open.remedy': '先にスキャナーを選んでください。',
  'error.busy.title': 'スキャナーは使用中です',
  'error.busy.remedy': '別のスキャンが終わるのを待つか、自動スキャンをオフにしてから、もう一度お試しください。',
  'error.not-connected.title': 'デスクトップアプリが起動していません',
  'error.not-connected.remedy':
    'スキャナーを管理するデスクトップアプリをこのコンピューターで起動し、「更新」を押してください。',
  'error.no-pages.title': '保存するページがありません',
  'error.no-pages.remedy': '先にページをスキャンしてください。白紙ページを除く設定の場合は、残す設定に変えてください。',
  'error.no-paper.title': '原稿がありません',
  'error.no-paper.remedy': 'フィーダーに原稿をセットして、もう一度スキャンしてください。',
  'error.paper-jam.title': '紙詰まりが発生しました',
  'error.paper-jam.remedy': 'スキャナーを開けて原稿を取り除き、閉じてから残りをスキャンしてください。',
  'error.double-feed.title': '原稿が2枚重なって送られました',
  'error.double-feed.remedy':
    '原稿を取り除いてよくさばき、ここにある最後のページの続きからセットして、もう一度スキャンしてください。',
  'error.cover-open.title': 'カバーが開いています',
  'error.cover-open.remedy': 'スキャナーのカバーを閉じて、もう一度スキャンしてください。',
  'error.device-offline.title': 'スキャナーがオフラインです',
  'error.device-offline.remedy': '電源を入れ、ケーブルまたはネットワークを確認してから、「更新」を押してください。',
  'error.timeout.title': 'スキャンが時間内に終わりませんでした',
  'error.timeout.remedy':
    'スキャナーが操作を待っていないか確認し、もう一度スキャンしてください。制限時間を設定している場合は、長くしてください。',
  'error.service-ended.title': 'スキャン中にサービスが終了しました',
  'error.service-ended.remedy': 'ここにある最後のページの続きから原稿をセットして、もう一度スキャンしてください。',
  'error.scan-not-found.title': 'これらのページはサービスに残っていません',
  'error.scan-not-found.remedy': '別の場所で破棄されたか、保管期間が過ぎました。もう一度スキャンしてください。',
  'error.storage-full.title': 'これ以上ページを保管できません',
  'error.storage-full.remedy':
    'ここにあるページを削除するか、未処理のスキャンや保存した文書を破棄してから、もう一度スキャンしてください。原稿は給紙されていません。',
  'error.unsupported.title': 'このスキャナーでは対応していません',
  'error.unsupported.remedy': '別の設定を選んで、もう一度スキャンしてください。',
  'error.cancelled.title': 'スキャンをキャンセルしました',
  'error.cancelled.remedy': 'もう一度始めるには「スキャン」を押してください。',
  'error.pages-lost.title': '一部のページを受け取れませんでした',
  'error.pages-lost.remedy': 'ここにあるページと原稿を見比べて、足りないページをスキャンしてください。',
  'error.autoscan-off.title': '自動スキャンはオフです',
  'error.autoscan-off.remedy':
    '別のWebページでオフにされたか、サービスが再起動しました。必要なときにもう一度オンにしてください。',
  'error.failing.title': '自動スキャンは自動的にオフになりました',
  'error.failing.remedy': 'スキャンが続けて失敗しました。原稿とスキャナーを確認してから、もう一度オンにしてください。',
  'error.unread.title': '自動スキャンは自動的にオフになりました',
  'error.unread.remedy':
    'スキャンした画像を受け取るWebページが、数分間ありませんでした。必要なときにもう一度オンにしてください。',
  'error.internal.title': 'スキャンできませんでした',
  'error.internal.remedy':
    'スキャナーの電源を入れ直して、もう一度お試しください。詳細はサービスのログに記録されています。',
  'at-page.paper-jam.title': '{page}ページ目で紙詰まりが発生しました',
  'at-page.paper-jam.remedy':
    'スキャナーを開けて原稿を取り除き、閉じてください。{page}ページ目からの原稿をセットして「続行」を押してください。',
  'at-page.double-feed.title': '{page}ページ目が別の原稿と重なって送られました',
  'at-page.double-feed.remedy':
    '原稿を取り除いて、よくさばいてください。{page}ページ目からの原稿をセットして「続行」を押してください。',
  'at-page.cover-open.title': '{page}ページ目の前でカバーが開きました',
  'at-page.cover-open.remedy':
    'スキャナーのカバーを閉じ、{page}ページ目からの原稿をセットして「続行」を押してください。',
  'at-page.no-paper.title': '{page}ページ目でフィーダーが空になりました',
  'at-page.no-paper.remedy': 'フィーダーに原稿をセットして「続行」を押してください。',
  'at-page.service-ended.title': '{page}ページ目が完了する前にサービスが終了しました',
  'at-page.service-ended.remedy': '{page}ページ目からの原稿をセットして「続行」を押してください。',
  'at-page.cancelled.title': 'スキャンをキャンセルしました',
  'at-page.cancelled.remedy': '{page}ページ目から続けるには「続行」を押してください。',
  'error.install': 'スキャンサービスをインストールする',
  'error.continue-at': '{page}ページ目から続けるには「続行」を押してください。',
  'error.pages-in-memory': {
    other: '{count} ページはメモリにしかありません。サービスが終了すると失われるため、今すぐ保存してください。',
  },
  'error.pages-kept': { other: 'それより前のページは残っています。' },
} as const satisfies Readonly<Record<keyof typeof english, Message>>;
