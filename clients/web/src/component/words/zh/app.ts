/** The service's own page around the component, in Simplified Chinese. */
import type { app as english } from '../en/app.js';
import type { Message } from '../en.js';

export const app = {
  'app.document-title': 'Platen：扫描',
  'app.title': '扫描',
  'app.skip': '跳到扫描仪',
  'app.reference': 'API 参考',
  'app.origins': '允许扫描的网页',
  'app.language': '语言',
  'app.theme.system': '主题：跟随系统',
  'app.theme.light': '主题：浅色',
  'app.theme.dark': '主题：深色',
  'app.health.unknown': '正在连接…',
  'app.health.well': '运行中 · {version}',
  'app.health.degraded': '桌面应用已断开连接',
  'app.health.away': '服务没有响应',
  'app.tray.label': '{scanner} 的托盘',
  'app.tray.drop': '将图片拖放到此处，',
  'app.tray.text': '即可放入 {scanner} 的托盘。',
  'app.tray.choose': '选择图片',
  'app.tray.put': { other: '已将 {count} 张图片放入 {scanner} 的托盘。' },
  'app.tray.put-scan': { other: '已将 {count} 张图片放入 {scanner} 的托盘。点击“扫描”即可扫描。' },
  'app.tray.refused': '未能放入“{file}”：{why}',
  'app.tray.more': { other: '另有 {count} 个。' },
  'app.tray.kind': '不是 PNG、JPEG、TIFF、WebP 或 GIF 图片。',
  'app.tray.empty': '文件是空的。',
  'app.tray.large': '文件太大：托盘接受的图片最大为 {size} MiB。',
} as const satisfies Readonly<Record<keyof typeof english, Message>>;
