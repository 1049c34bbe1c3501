/** The service's own page around the component, in Japanese. */
import type { app as english } from '../en/app.js';
import type { Message } from '../en.js';

export const app = {
  'app.document-title': 'Platen：スキャン',
  'app.title': 'スキャン',
  'app.skip': 'スキャナーの操作に移動',
  'app.reference': 'APIリファレンス',
  'app.origins': 'スキャンできるWebページ',
  'app.language': '言語',
  'app.theme.system': 'テーマ：システムと同じ',
  'app.theme.light': 'テーマ：ライト',
  'app.theme.dark': 'テーマ：ダーク',
  'app.health.unknown': '接続しています…',
  'app.health.well': '稼働中 · {version}',
  'app.health.degraded': 'デスクトップアプリが切断されています',
  'app.health.away': 'サービスが応答しません',
  'app.tray.label': '{scanner}のトレイ',
  'app.tray.drop': '画像をここにドロップすると、',
  'app.tray.text': '{scanner}のトレイにセットされます。',
  'app.tray.choose': '画像を選択',
  'app.tray.put': { other: '{scanner}のトレイに画像を{count}枚セットしました。' },
  'app.tray.put-scan': {
    other: '{scanner}のトレイに画像を{count}枚セットしました。「スキャン」を押すとスキャンします。',
  },
  'app.tray.refused': '「{file}」をセットできませんでした。{why}',
  'app.tray.more': { other: 'ほか{count}件。' },
  'app.tray.kind': 'PNG、JPEG、TIFF、WebP、GIF以外のファイルです。',
  'app.tray.empty': '空のファイルです。',
  'app.tray.large': 'ファイルが大きすぎます。トレイにセットできる画像は{size} MiBまでです。',
} as const satisfies Readonly<Record<keyof typeof english, Message>>;
