/** What `diagnose()` finds, in Portuguese. */
import type { findings as english } from '../en/findings.js';
import type { Message } from '../en.js';

export const findings = {
  'finding.unreachable.sentence':
    'Nada responde em {address}: o serviço de digitalização não está instalado, não está em execução ou o certificado dele não é confiável para este navegador.',
  'finding.unreachable.remedy':
    'Abra {address}/ em uma nova guia. Se a guia mostrar um aviso sobre o certificado, execute “platen cert install” e reinicie o navegador. Se não for possível conectar, inicie o serviço, ou instale-o primeiro.',
  'finding.unreachable-or-not-allowed.sentence':
    'Nada responde em {address}: o serviço de digitalização não está instalado, não está em execução, o certificado dele não é confiável para este navegador ou a pergunta do navegador sobre a rede local não foi respondida com “Permitir”.',
  'finding.unreachable-or-not-allowed.remedy':
    'Abra {address}/ em uma nova guia. Se a guia mostrar um aviso sobre o certificado, execute “platen cert install” e reinicie o navegador. Se não for possível conectar, inicie o serviço, ou instale-o primeiro. Se o serviço aparecer, recarregue esta página da web e permita que ela acesse este computador quando o navegador perguntar.',
  'finding.refused-port.sentence':
    'Nenhum programa escuta em {address}: o serviço de digitalização não está instalado ou não está em execução.',
  'finding.refused-port.remedy':
    'Inicie o serviço, ou instale-o primeiro. Se ele não iniciar, execute “platen doctor” no computador do serviço para saber o motivo.',
  'finding.untrusted.sentence': 'O certificado do serviço de digitalização em {address} não é confiável.',
  'finding.untrusted.remedy':
    'Execute “platen cert install” neste computador e reinicie o programa que fez a solicitação. Para Node, defina NODE_EXTRA_CA_CERTS.',
  'finding.not-asked.sentence':
    'O navegador ainda não perguntou se esta página da web pode acessar programas neste computador.',
  'finding.not-asked.remedy': 'Conecte-se ao serviço de digitalização e responda “Permitir” à pergunta do navegador.',
  'finding.asking.sentence':
    'O navegador está perguntando se esta página da web pode acessar programas neste computador.',
  'finding.asking.remedy':
    'Responda “Permitir” à pergunta do navegador. Se não vir nenhuma pergunta, reinicie o serviço de digitalização.',
  'finding.denied.sentence': 'O navegador não permite que esta página da web acesse programas neste computador.',
  'finding.denied.remedy':
    'Clique em “Ver informações do site”, à esquerda do endereço, permita “Apps no dispositivo” (em versões anteriores: “Acesso à rede local”) e recarregue a página da web. Se não for possível mudar isso ali, o administrador é quem decide.',
  'finding.denied-in-firefox.sentence':
    'O Firefox não permite que esta página da web acesse programas neste computador.',
  'finding.denied-in-firefox.remedy':
    'Clique no ícone de permissões à esquerda do endereço, limpe “Acessar este dispositivo”, recarregue a página da web e responda “Permitir”.',
  'finding.denied-in-frame.sentence': 'O Firefox não permite que este quadro acesse programas neste computador.',
  'finding.denied-in-frame.remedy':
    'Clique no ícone de permissões à esquerda do endereço. Se “Acessar este dispositivo” estiver bloqueado, limpe-o, recarregue a página da web e responda “Permitir”. Se não estiver, a página da web que contém este quadro precisa permitir: <iframe allow="local-network-access; loopback-network">.',
  'finding.frame-not-allowed.sentence':
    'A página da web que contém este quadro não permite que ele acesse programas neste computador.',
  'finding.frame-not-allowed.remedy': 'Incorpore o quadro com <iframe allow="local-network-access; loopback-network">.',
  'finding.insecure.sentence':
    'Esta página da web foi carregada por HTTP sem criptografia, e o navegador só permite que páginas seguras acessem programas neste computador.',
  'finding.insecure.remedy': 'Forneça a página da web por HTTPS.',
  'finding.policy.sentence':
    'A Content-Security-Policy desta página da web proíbe chamadas ao serviço de digitalização.',
  'finding.policy.remedy':
    'Adicione {address} a connect-src na Content-Security-Policy da página da web (e a script-src, se o módulo for importado de lá).',
  'finding.refused.sentence':
    'Algo responde em {address}, mas não a esta página da web: a origem da página não consta na configuração do serviço, ou outro programa usa a porta.',
  'finding.refused.remedy':
    'Adicione a origem desta página da web a security.origins na configuração do serviço e reinicie o serviço. Se ela já constar, “platen doctor” indica qual programa usa a porta.',
  'finding.consent-required.sentence':
    'Esta página da web ainda não pode digitalizar: ninguém a autorizou neste computador.',
  'finding.consent-required.remedy': 'Abra {link}, autorize esta página da web e tente novamente.',
  'finding.consent-refused.sentence': 'Neste computador, esta página da web não foi autorizada a digitalizar.',
  'finding.consent-refused.remedy': 'Para mudar a resposta, abra {link}.',
  'finding.token-required.sentence':
    'O serviço de digitalização em {address} só aceita chamadas de programas com o seu token.',
  'finding.token-required.remedy':
    'Passe o token para createClient({ token }): ele está no arquivo local.token da pasta de dados do serviço.',
  'finding.other.sentence': 'O programa que responde em {address} não é o serviço de digitalização.',
  'finding.other.remedy':
    'Execute “platen doctor”: ele indica qual programa usa a porta. Encerre esse programa, ou defina outra porta em PLATEN_PORT e use esse endereço na página da web.',
  'finding.outdated.sentence': 'O serviço de digitalização é antigo demais: ele não informa a sua versão.',
  'finding.outdated.remedy': 'Atualize o serviço de digitalização neste computador.',
  'finding.silent.sentence': 'O serviço de digitalização em {address} não responde.',
  'finding.silent.remedy': 'Reinicie o serviço.',
  'finding.unhealthy.sentence': 'O serviço de digitalização informa que não está funcionando corretamente.',
  'finding.unhealthy.remedy':
    'Consulte o log dele, ou execute “platen doctor” no computador do serviço: ele verifica tudo de que o serviço precisa.',
  'finding.desktop-away.sentence':
    'O aplicativo de desktop, que controla os scanners, não está conectado ao serviço de digitalização.',
  'finding.desktop-away.remedy':
    'Inicie o aplicativo de desktop (“platen host”) na sessão da pessoa que digitaliza. O serviço o encontra em até 5 s.',
  'finding.no-scanner.sentence': 'O serviço de digitalização não encontra nenhum scanner.',
  'finding.no-scanner.remedy': 'Conecte o scanner e ligue-o. Se ele estiver ligado, instale o driver dele.',
  'finding.offline.sentence': 'Nenhum scanner está online: {scanners}.',
  'finding.offline.remedy': 'Ligue o scanner e verifique o cabo ou a rede dele.',
} as const satisfies Readonly<Record<keyof typeof english, Message>>;
