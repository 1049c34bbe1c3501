/** The page's sentences beside the component's, in Japanese. */
import type { Sentences } from './en.js';

export const ja: Sentences = {
  'about.title': 'このスキャナーについて',
  'about.asking': 'ドライバーに問い合わせています…',
  'about.manufacturer': 'メーカー',
  'about.model': 'モデル',
  'about.state': '状態',
  'about.state.ok': '問題は見つかっていません',
  'about.state.warning': '確認が必要です',
  'about.state.failed': '動作していません',
  'about.nothing': 'ドライバーからのその他の情報はありません。',
  'about.away': 'サービスが応答しません。',
  'licence.ends': '{plugin} のライセンスは{day}に終了します。管理者に連絡してください。',
  'licence.grace': '{plugin} のライセンスは{day}に終了しました。{end}までは使用できます。管理者に連絡してください。',
};
