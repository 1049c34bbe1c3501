/** What `diagnose()` finds, in Simplified Chinese. */
import type { findings as english } from '../en/findings.js';
import type { Message } from '../en.js';

export const findings = {
  'finding.unreachable.sentence': '{address} 没有响应：扫描服务未安装、未运行，或其证书不受此浏览器信任。',
  'finding.unreachable.remedy':
    '请在新标签页中打开 {address}/。如果出现证书警告，请运行“platen cert install”并重启浏览器。如果无法连接，请启动服务；尚未安装时请先安装。',
  'finding.unreachable-or-not-allowed.sentence':
    '{address} 没有响应：扫描服务未安装、未运行，或其证书不受此浏览器信任；也可能是浏览器询问本地网络权限时没有选择“允许”。',
  'finding.unreachable-or-not-allowed.remedy':
    '请在新标签页中打开 {address}/。如果出现证书警告，请运行“platen cert install”并重启浏览器。如果无法连接，请启动服务；尚未安装时请先安装。如果能看到服务的页面，请重新加载此页面，并在浏览器询问时允许它访问这台电脑。',
  'finding.refused-port.sentence': '{address} 上没有程序在监听：扫描服务未安装或未运行。',
  'finding.refused-port.remedy':
    '请启动服务；尚未安装时请先安装。如果服务无法启动，请在那台电脑上运行“platen doctor”查看原因。',
  'finding.untrusted.sentence': '{address} 上扫描服务的证书不受信任。',
  'finding.untrusted.remedy':
    '请在这台电脑上运行“platen cert install”，然后重启发出请求的程序。如果是 Node，请设置 NODE_EXTRA_CA_CERTS。',
  'finding.not-asked.sentence': '浏览器尚未询问是否允许此页面访问这台电脑上的程序。',
  'finding.not-asked.remedy': '请连接扫描服务，并在浏览器询问时选择“允许”。',
  'finding.asking.sentence': '浏览器正在询问是否允许此页面访问这台电脑上的程序。',
  'finding.asking.remedy': '请在浏览器询问时选择“允许”。如果没有看到询问，请重启扫描服务。',
  'finding.denied.sentence': '浏览器不允许此页面访问这台电脑上的程序。',
  'finding.denied.remedy':
    '请点击地址左侧的“查看网站信息”，允许“设备上的应用”（旧版本：“本地网络访问权限”），然后重新加载页面。如果无法在那里更改，则由管理员决定。',
  'finding.denied-in-firefox.sentence': 'Firefox 不允许此页面访问这台电脑上的程序。',
  'finding.denied-in-firefox.remedy': '请点击地址左侧的权限图标，清除“访问此设备”，重新加载页面，并选择“允许”。',
  'finding.denied-in-frame.sentence': 'Firefox 不允许此框架访问这台电脑上的程序。',
  'finding.denied-in-frame.remedy':
    '请点击地址左侧的权限图标。如果“访问此设备”被阻止，请将其清除，重新加载页面，并选择“允许”。如果没有被阻止，则嵌入此框架的页面必须允许：<iframe allow="local-network-access; loopback-network">。',
  'finding.frame-not-allowed.sentence': '嵌入此框架的页面不允许它访问这台电脑上的程序。',
  'finding.frame-not-allowed.remedy': '请使用 <iframe allow="local-network-access; loopback-network"> 嵌入此框架。',
  'finding.insecure.sentence': '此页面是通过未加密的 HTTP 加载的，而浏览器只允许安全的页面访问这台电脑上的程序。',
  'finding.insecure.remedy': '请通过 HTTPS 提供此页面。',
  'finding.policy.sentence': '此页面自身的 Content-Security-Policy 禁止调用扫描服务。',
  'finding.policy.remedy':
    '请在页面的 Content-Security-Policy 中将 {address} 加入 connect-src（如果从该地址导入模块，还要加入 script-src）。',
  'finding.refused.sentence':
    '{address} 有响应，但不响应此页面：服务的配置中没有列出此页面的源，或该端口被其他程序占用。',
  'finding.refused.remedy':
    '请将此页面的源加入服务配置的 security.origins，然后重启服务。如果已经列出，请运行“platen doctor”查看是哪个程序占用了该端口。',
  'finding.consent-required.sentence': '此页面还不能扫描：这台电脑上还没有人允许。',
  'finding.consent-required.remedy': '请打开 {link}，允许此页面，然后重试。',
  'finding.consent-refused.sentence': '这台电脑上的用户没有允许此页面扫描。',
  'finding.consent-refused.remedy': '如需更改答复，请打开 {link}。',
  'finding.token-required.sentence': '{address} 上的扫描服务只接受带有其令牌的程序调用。',
  'finding.token-required.remedy': '请将令牌传给 createClient({ token })：令牌在服务数据文件夹的 local.token 文件中。',
  'finding.other.sentence': '在 {address} 响应的程序不是扫描服务。',
  'finding.other.remedy':
    '请运行“platen doctor”查看是哪个程序占用了该端口。请结束该程序，或将 PLATEN_PORT 设为其他端口，并在页面中使用新的地址。',
  'finding.outdated.sentence': '扫描服务太旧：它不报告自己的版本。',
  'finding.outdated.remedy': '请更新这台电脑上的扫描服务。',
  'finding.silent.sentence': '{address} 上的扫描服务没有响应。',
  'finding.silent.remedy': '请重启服务。',
  'finding.unhealthy.sentence': '扫描服务报告自身状态异常。',
  'finding.unhealthy.remedy': '请查看服务的日志，或在那台电脑上运行“platen doctor”，检查服务所需的一切。',
  'finding.desktop-away.sentence': '管理扫描仪的桌面应用已与扫描服务断开连接。',
  'finding.desktop-away.remedy': '请在扫描者的会话中启动桌面应用（“platen host”）。服务会在 5 秒内找到它。',
  'finding.no-scanner.sentence': '扫描服务未找到扫描仪。',
  'finding.no-scanner.remedy': '请连接扫描仪并打开电源。如果电源已打开，请安装其驱动程序。',
  'finding.offline.sentence': '没有在线的扫描仪：{scanners}。',
  'finding.offline.remedy': '请打开扫描仪的电源，并检查其连接线或网络。',
} as const satisfies Readonly<Record<keyof typeof english, Message>>;
