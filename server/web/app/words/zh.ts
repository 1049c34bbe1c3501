/** The page's sentences beside the component's, in Chinese. */
import type { Sentences } from './en.js';

export const zh: Sentences = {
  'about.title': '关于此扫描仪',
  'about.asking': '正在询问驱动程序…',
  'about.manufacturer': '制造商',
  'about.model': '型号',
  'about.state': '状态',
  'about.state.ok': '没有已知问题',
  'about.state.warning': '需要处理',
  'about.state.failed': '无法工作',
  'about.nothing': '驱动程序没有提供其他信息。',
  'about.away': '服务没有响应。',
  'licence.ends': '{plugin} 的许可证将于{day}到期。请告知管理员。',
  'licence.grace': '{plugin} 的许可证已于{day}到期，在{end}之前仍可使用。请告知管理员。',
};
