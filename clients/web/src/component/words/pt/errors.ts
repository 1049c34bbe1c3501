/** Failures, in Portuguese. */
import type { errors as english } from '../en/errors.js';
import type { Message } from '../en.js';

export const errors = {
  'error.unknown-path.title': 'O serviço é mais antigo do que esta página da web',
  'error.unknown-path.remedy': 'Atualize o serviço e recarregue esta página da web.',
  'error.unexpected-answer.title': 'Resposta inesperada',
  'error.unexpected-answer.remedy': 'Reinicie o serviço e recarregue esta página da web.',
  'error.invalid-value.title': 'Uma configuração foi recusada',
  'error.invalid-value.remedy': 'Escolha outro valor e digitalize novamente. Nenhum papel foi movido.',
  'error.origin-refused.title': 'Esta página da web não tem permissão para digitalizar',
  'error.origin-refused.remedy': 'Abra a página da web no endereço que o serviço mostra ao iniciar.',
  'error.consent-required.title': 'Esta página da web ainda não pode digitalizar',
  'error.consent-required.remedy':
    'Autorize-a na página do serviço de digitalização. Depois, esta página da web continua sozinha.',
  'error.consent-refused.title': 'Esta página da web não foi autorizada a digitalizar',
  'error.consent-refused.remedy': 'Se mudar a resposta, clique aqui em “Atualizar”.',
  'error.token-required.title': 'O serviço pede o seu token',
  'error.token-required.remedy': 'Abra o endereço que “platen origins link” mostra e recarregue esta página da web.',
  'consent.answer': 'Responder em uma nova guia',
  'consent.change': 'Mudar a resposta',
  'error.device-not-found.title': 'O scanner não está mais disponível',
  'error.device-not-found.remedy': 'Conecte-o e ligue-o; depois, clique em “Atualizar”.',
  'error.no-source-open.title': 'Nenhum scanner está aberto',
  'error.no-source-open.remedy': 'Primeiro, escolha um scanner.',
  'error.busy.title': 'O scanner está ocupado',
  'error.busy.remedy':
    'Espere a outra digitalização terminar ou desative a digitalização automática e tente novamente.',
  'error.not-connected.title': 'O aplicativo de desktop não está em execução',
  'error.not-connected.remedy':
    'Inicie neste computador o aplicativo de desktop, que controla os scanners. Depois, clique em “Atualizar”.',
  'error.no-pages.title': 'Não há nenhuma página para salvar',
  'error.no-pages.remedy': 'Primeiro, digitalize uma página. Se as páginas em branco são omitidas, mantenha-as.',
  'error.no-paper.title': 'Não há papel',
  'error.no-paper.remedy': 'Coloque papel no alimentador e digitalize novamente.',
  'error.paper-jam.title': 'Papel atolado',
  'error.paper-jam.remedy': 'Abra o scanner, retire a folha, feche-o e digitalize o restante.',
  'error.double-feed.title': 'Duas folhas foram puxadas ao mesmo tempo',
  'error.double-feed.remedy':
    'Retire as folhas e folheie-as para separá-las. Coloque as que seguem a última página mostrada aqui e digitalize novamente.',
  'error.cover-open.title': 'A tampa está aberta',
  'error.cover-open.remedy': 'Feche a tampa do scanner e digitalize novamente.',
  'error.device-offline.title': 'O scanner está offline',
  'error.device-offline.remedy': 'Ligue-o e verifique o cabo ou a rede; depois, clique em “Atualizar”.',
  'error.timeout.title': 'A digitalização demorou demais',
  'error.timeout.remedy':
    'Verifique se o scanner não está esperando alguma coisa e digitalize novamente. Se você definiu um limite de tempo, aumente-o.',
  'error.service-ended.title': 'O serviço foi encerrado durante a digitalização',
  'error.service-ended.remedy': 'Coloque as folhas que seguem a última página mostrada aqui e digitalize novamente.',
  'error.scan-not-found.title': 'O serviço não tem mais estas páginas',
  'error.scan-not-found.remedy':
    'Elas foram descartadas em outro lugar ou o prazo de armazenamento terminou. Digitalize-as novamente.',
  'error.storage-full.title': 'Não há espaço para mais páginas',
  'error.storage-full.remedy':
    'Remova páginas aqui, ou descarte digitalizações pendentes e documentos salvos. Depois, digitalize novamente. Nenhum papel foi movido.',
  'error.unsupported.title': 'O scanner não pode fazer isto',
  'error.unsupported.remedy': 'Escolha outras configurações e digitalize novamente.',
  'error.cancelled.title': 'A digitalização foi cancelada',
  'error.cancelled.remedy': 'Clique em “Digitalizar” para começar novamente.',
  'error.pages-lost.title': 'Algumas páginas não chegaram',
  'error.pages-lost.remedy': 'Compare as páginas mostradas aqui com o papel e digitalize as que faltam.',
  'error.autoscan-off.title': 'A digitalização automática está desativada',
  'error.autoscan-off.remedy':
    'Outra página da web a desativou ou o serviço foi reiniciado. Ative-a de novo quando precisar.',
  'error.failing.title': 'A digitalização automática foi desativada',
  'error.failing.remedy':
    'Várias digitalizações seguidas falharam. Verifique o papel e o scanner e ative novamente a digitalização automática.',
  'error.unread.title': 'A digitalização automática foi desativada',
  'error.unread.remedy':
    'Por vários minutos, nenhuma página da web buscou as páginas digitalizadas. Ative-a de novo quando precisar.',
  'error.internal.title': 'A digitalização falhou',
  'error.internal.remedy': 'Desligue e ligue o scanner e tente novamente. O log do serviço contém os detalhes.',
  'at-page.paper-jam.title': 'Papel atolado na página {page}',
  'at-page.paper-jam.remedy':
    'Abra o scanner, retire a folha e feche-o. Coloque o papel a partir da página {page} e clique em “Continuar”.',
  'at-page.double-feed.title': 'A página {page} foi puxada junto com outra folha',
  'at-page.double-feed.remedy':
    'Retire as folhas e folheie-as para separá-las. Coloque o papel a partir da página {page} e clique em “Continuar”.',
  'at-page.cover-open.title': 'A tampa foi aberta antes da página {page}',
  'at-page.cover-open.remedy':
    'Feche a tampa do scanner, coloque o papel a partir da página {page} e clique em “Continuar”.',
  'at-page.no-paper.title': 'O alimentador está vazio na página {page}',
  'at-page.no-paper.remedy': 'Coloque papel no alimentador e clique em “Continuar”.',
  'at-page.service-ended.title': 'O serviço foi encerrado antes de concluir a página {page}',
  'at-page.service-ended.remedy': 'Coloque o papel a partir da página {page} e clique em “Continuar”.',
  'at-page.cancelled.title': 'A digitalização foi cancelada',
  'at-page.cancelled.remedy': 'Para continuar a partir da página {page}, clique em “Continuar”.',
  'error.install': 'Instalar o serviço de digitalização',
  'error.continue-at': 'Para continuar a partir da página {page}, clique em “Continuar”.',
  'error.pages-in-memory': {
    one: 'Uma página está apenas na memória. Salve-a agora: ela será perdida quando o serviço terminar.',
    many: '{count} páginas estão apenas na memória. Salve-as agora: elas serão perdidas quando o serviço terminar.',
    other: '{count} páginas estão apenas na memória. Salve-as agora: elas serão perdidas quando o serviço terminar.',
  },
  'error.pages-kept': {
    one: 'A página anterior foi mantida.',
    many: 'As páginas anteriores foram mantidas.',
    other: 'As páginas anteriores foram mantidas.',
  },
} as const satisfies Readonly<Record<keyof typeof english, Message>>;
