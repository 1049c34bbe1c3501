/** What `diagnose()` finds, in Japanese. */
import type { findings as english } from '../en/findings.js';
import type { Message } from '../en.js';

export const findings = {
  'finding.unreachable.sentence':
    '{address} から応答がありません。スキャンサービスがインストールされていないか、起動していないか、証明書がこのブラウザーで信頼されていません。',
  'finding.unreachable.remedy':
    '新しいタブで {address}/ を開いてください。証明書の警告が表示されたら、「platen cert install」を実行してブラウザーを再起動してください。接続できない場合は、サービスを起動してください。まだの場合は、先にインストールしてください。',
  'finding.unreachable-or-not-allowed.sentence':
    '{address} から応答がありません。スキャンサービスがインストールされていないか、起動していないか、証明書がこのブラウザーで信頼されていません。または、ローカルネットワークについてのブラウザーの確認で「許可」が選ばれていません。',
  'finding.unreachable-or-not-allowed.remedy':
    '新しいタブで {address}/ を開いてください。証明書の警告が表示されたら、「platen cert install」を実行してブラウザーを再起動してください。接続できない場合は、サービスを起動してください。まだの場合は、先にインストールしてください。サービスが表示された場合は、このページを再読み込みし、ブラウザーの確認でこのコンピューターへの接続を許可してください。',
  'finding.refused-port.sentence':
    '{address} で待ち受けているプログラムがありません。スキャンサービスがインストールされていないか、起動していません。',
  'finding.refused-port.remedy':
    'サービスを起動してください。まだの場合は、先にインストールしてください。起動しないときは、そのコンピューターで「platen doctor」を実行すると原因がわかります。',
  'finding.untrusted.sentence': '{address} のスキャンサービスの証明書が信頼されていません。',
  'finding.untrusted.remedy':
    'このコンピューターで「platen cert install」を実行し、接続元のプログラムを再起動してください。Nodeの場合は、NODE_EXTRA_CA_CERTSを設定してください。',
  'finding.not-asked.sentence':
    'このページからこのコンピューターのプログラムへの接続を許可するかどうかを、ブラウザーはまだ確認していません。',
  'finding.not-asked.remedy': 'スキャンサービスに接続し、ブラウザーの確認では「許可」を選んでください。',
  'finding.asking.sentence':
    'このページからこのコンピューターのプログラムへの接続を許可するかどうかを、ブラウザーが確認しています。',
  'finding.asking.remedy':
    'ブラウザーの確認では「許可」を選んでください。確認が表示されない場合は、スキャンサービスを再起動してください。',
  'finding.denied.sentence': 'ブラウザーが、このページからこのコンピューターのプログラムへの接続を許可していません。',
  'finding.denied.remedy':
    'アドレスの左の「サイト情報を表示」をクリックし、「デバイス上のアプリ」（以前のバージョンでは「ローカル ネットワークへのアクセス」）を許可して、ページを再読み込みしてください。そこで変更できない場合は、管理者が決めています。',
  'finding.denied-in-firefox.sentence':
    'Firefoxが、このページからこのコンピューターのプログラムへの接続を許可していません。',
  'finding.denied-in-firefox.remedy':
    'アドレスの左にある権限のアイコンをクリックし、「この端末へのアクセス」を消去し、ページを再読み込みして「許可」を選んでください。',
  'finding.denied-in-frame.sentence':
    'Firefoxが、このフレームからこのコンピューターのプログラムへの接続を許可していません。',
  'finding.denied-in-frame.remedy':
    'アドレスの左にある権限のアイコンをクリックしてください。「この端末へのアクセス」がブロックされている場合は、消去し、ページを再読み込みして「許可」を選んでください。ブロックされていない場合は、このフレームを埋め込んでいるページで許可が必要です：<iframe allow="local-network-access; loopback-network">',
  'finding.frame-not-allowed.sentence':
    'このフレームを埋め込んでいるページが、このコンピューターのプログラムへの接続を許可していません。',
  'finding.frame-not-allowed.remedy':
    'フレームを <iframe allow="local-network-access; loopback-network"> で埋め込んでください。',
  'finding.insecure.sentence':
    'このページは暗号化されていないHTTPで読み込まれました。ブラウザーは、安全なページにだけ、このコンピューターのプログラムへの接続を許可します。',
  'finding.insecure.remedy': 'ページをHTTPSで配信してください。',
  'finding.policy.sentence': 'このページ自身のContent-Security-Policyが、スキャンサービスの呼び出しを禁止しています。',
  'finding.policy.remedy':
    'ページのContent-Security-Policyのconnect-srcに {address} を追加してください（モジュールをそこから読み込む場合は、script-srcにも追加してください）。',
  'finding.refused.sentence':
    '{address} は応答していますが、このページには応答していません。サービスの構成にこのページのオリジンがないか、別のプログラムがこのポートを使用しています。',
  'finding.refused.remedy':
    'サービスの構成のsecurity.originsにこのページのオリジンを追加し、サービスを再起動してください。すでに追加されている場合は、「platen doctor」を実行すると、ポートを使用しているプログラムがわかります。',
  'finding.consent-required.sentence':
    'このページにはまだスキャンが許可されていません。このコンピューターで許可してください。',
  'finding.consent-required.remedy': '{link} を開いてこのページを許可してから、もう一度お試しください。',
  'finding.consent-refused.sentence': 'このコンピューターで、このページのスキャンは許可されませんでした。',
  'finding.consent-refused.remedy': '回答を変更するには、{link} を開いてください。',
  'finding.token-required.sentence':
    '{address} のスキャンサービスは、トークンのあるプログラムの呼び出しだけを受け付けます。',
  'finding.token-required.remedy':
    'createClient({ token }) にトークンを渡してください。トークンは、サービスのデータフォルダーのファイルlocal.tokenにあります。',
  'finding.other.sentence': '{address} で応答しているプログラムは、スキャンサービスではありません。',
  'finding.other.remedy':
    '「platen doctor」を実行すると、ポートを使用しているプログラムがわかります。そのプログラムを終了するか、PLATEN_PORTに別のポートを設定し、ページでそのアドレスを使ってください。',
  'finding.outdated.sentence': 'スキャンサービスが古く、バージョンを確認できません。',
  'finding.outdated.remedy': 'このコンピューターのスキャンサービスをアップデートしてください。',
  'finding.silent.sentence': '{address} のスキャンサービスが応答しません。',
  'finding.silent.remedy': 'サービスを再起動してください。',
  'finding.unhealthy.sentence': 'スキャンサービスが異常を報告しています。',
  'finding.unhealthy.remedy':
    'サービスのログを見るか、そのコンピューターで「platen doctor」を実行してください。サービスに必要なものがすべて確認されます。',
  'finding.desktop-away.sentence': 'スキャナーを管理するデスクトップアプリが、スキャンサービスから切断されています。',
  'finding.desktop-away.remedy':
    'スキャンする人のセッションでデスクトップアプリ（「platen host」）を起動してください。5秒以内にサービスに接続されます。',
  'finding.no-scanner.sentence': 'スキャンサービスがスキャナーを見つけられません。',
  'finding.no-scanner.remedy':
    'スキャナーを接続して電源を入れてください。電源が入っている場合は、ドライバーをインストールしてください。',
  'finding.offline.sentence': 'オンラインのスキャナーがありません：{scanners}。',
  'finding.offline.remedy': 'スキャナーの電源を入れ、ケーブルまたはネットワークを確認してください。',
} as const satisfies Readonly<Record<keyof typeof english, Message>>;
