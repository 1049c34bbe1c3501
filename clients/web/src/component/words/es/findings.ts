/** What `diagnose()` finds, in Spanish. */
import type { findings as english } from '../en/findings.js';
import type { Message } from '../en.js';

export const findings = {
  'finding.unreachable.sentence':
    'Nada responde en {address}: el servicio de escaneo no está instalado, no está en marcha o este navegador no confía en su certificado.',
  'finding.unreachable.remedy':
    'Abra {address}/ en una pestaña nueva. Si la pestaña muestra una advertencia sobre el certificado, ejecute «platen cert install» y reinicie el navegador. Si no se puede conectar, inicie el servicio, o instálelo primero.',
  'finding.unreachable-or-not-allowed.sentence':
    'Nada responde en {address}: el servicio de escaneo no está instalado, no está en marcha, este navegador no confía en su certificado o no se respondió «Permitir» a la pregunta del navegador sobre la red local.',
  'finding.unreachable-or-not-allowed.remedy':
    'Abra {address}/ en una pestaña nueva. Si la pestaña muestra una advertencia sobre el certificado, ejecute «platen cert install» y reinicie el navegador. Si no se puede conectar, inicie el servicio, o instálelo primero. Si aparece el servicio, vuelva a cargar esta página web y permítale acceder a este equipo cuando el navegador lo pregunte.',
  'finding.refused-port.sentence':
    'Ningún programa escucha en {address}: el servicio de escaneo no está instalado o no está en marcha.',
  'finding.refused-port.remedy':
    'Inicie el servicio, o instálelo primero. Si no se inicia, ejecute «platen doctor» en el equipo del servicio para saber por qué.',
  'finding.untrusted.sentence': 'El certificado del servicio de escaneo en {address} no es de confianza.',
  'finding.untrusted.remedy':
    'Ejecute «platen cert install» en este equipo y reinicie el programa que hizo la consulta. Para Node, defina NODE_EXTRA_CA_CERTS.',
  'finding.not-asked.sentence':
    'El navegador aún no ha preguntado si esta página web puede acceder a los programas de este equipo.',
  'finding.not-asked.remedy': 'Conéctese al servicio de escaneo y responda «Permitir» a la pregunta del navegador.',
  'finding.asking.sentence':
    'El navegador está preguntando si esta página web puede acceder a los programas de este equipo.',
  'finding.asking.remedy':
    'Responda «Permitir» a la pregunta del navegador. Si no ve ninguna pregunta, reinicie el servicio de escaneo.',
  'finding.denied.sentence': 'El navegador no permite que esta página web acceda a los programas de este equipo.',
  'finding.denied.remedy':
    'Haga clic en «Ver información del sitio», a la izquierda de la dirección, permita «Aplicaciones en el dispositivo» (en versiones anteriores: «Acceso a la red local») y vuelva a cargar la página web. Si no se puede cambiar ahí, lo decide su administrador.',
  'finding.denied-in-firefox.sentence': 'Firefox no permite que esta página web acceda a los programas de este equipo.',
  'finding.denied-in-firefox.remedy':
    'Haga clic en el icono de permisos a la izquierda de la dirección, elimine «Acceder a este dispositivo», vuelva a cargar la página web y responda «Permitir».',
  'finding.denied-in-frame.sentence': 'Firefox no permite que este marco acceda a los programas de este equipo.',
  'finding.denied-in-frame.remedy':
    'Haga clic en el icono de permisos a la izquierda de la dirección. Si «Acceder a este dispositivo» está bloqueado, elimínelo, vuelva a cargar la página web y responda «Permitir». Si no, la página web que contiene este marco debe permitirlo: <iframe allow="local-network-access; loopback-network">.',
  'finding.frame-not-allowed.sentence':
    'La página web que contiene este marco no le permite acceder a los programas de este equipo.',
  'finding.frame-not-allowed.remedy': 'Incluya el marco con <iframe allow="local-network-access; loopback-network">.',
  'finding.insecure.sentence':
    'Esta página web se cargó por HTTP sin cifrar, y el navegador solo permite que las páginas seguras accedan a los programas de este equipo.',
  'finding.insecure.remedy': 'Sirva la página web por HTTPS.',
  'finding.policy.sentence':
    'La Content-Security-Policy de esta página web prohíbe las llamadas al servicio de escaneo.',
  'finding.policy.remedy':
    'Añada {address} a connect-src en la Content-Security-Policy de la página web (y a script-src si el módulo se importa desde ahí).',
  'finding.refused.sentence':
    'Algo responde en {address}, pero no a esta página web: el origen de la página no figura en la configuración del servicio, o el puerto lo usa otro programa.',
  'finding.refused.remedy':
    'Añada el origen de esta página web a security.origins en la configuración del servicio y reinicie el servicio. Si ya figura, «platen doctor» indica qué programa usa el puerto.',
  'finding.consent-required.sentence':
    'Esta página web todavía no puede escanear: nadie la ha autorizado en este equipo.',
  'finding.consent-required.remedy': 'Abra {link}, autorice esta página web e inténtelo de nuevo.',
  'finding.consent-refused.sentence': 'En este equipo no se ha autorizado a esta página web a escanear.',
  'finding.consent-refused.remedy': 'Para cambiar la respuesta, abra {link}.',
  'finding.token-required.sentence':
    'El servicio de escaneo en {address} solo acepta llamadas de programas con su token.',
  'finding.token-required.remedy':
    'Pase el token a createClient({ token }): está en el archivo local.token de la carpeta de datos del servicio.',
  'finding.other.sentence': 'El programa que responde en {address} no es el servicio de escaneo.',
  'finding.other.remedy':
    'Ejecute «platen doctor»: indica qué programa usa el puerto. Cierre ese programa, o asigne otro puerto a PLATEN_PORT y use esa dirección en la página web.',
  'finding.outdated.sentence': 'El servicio de escaneo es demasiado antiguo: no indica su versión.',
  'finding.outdated.remedy': 'Actualice el servicio de escaneo en este equipo.',
  'finding.silent.sentence': 'El servicio de escaneo en {address} no responde.',
  'finding.silent.remedy': 'Reinicie el servicio.',
  'finding.unhealthy.sentence': 'El servicio de escaneo informa de que no funciona correctamente.',
  'finding.unhealthy.remedy':
    'Consulte su registro, o ejecute «platen doctor» en el equipo del servicio: comprueba todo lo que el servicio necesita.',
  'finding.desktop-away.sentence':
    'La aplicación de escritorio, que controla los escáneres, no está conectada con el servicio de escaneo.',
  'finding.desktop-away.remedy':
    'Inicie la aplicación de escritorio («platen host») en la sesión de la persona que escanea. El servicio la encuentra en 5 s como máximo.',
  'finding.no-scanner.sentence': 'El servicio de escaneo no encuentra ningún escáner.',
  'finding.no-scanner.remedy': 'Conecte el escáner y enciéndalo. Si está encendido, instale su controlador.',
  'finding.offline.sentence': 'Ningún escáner está en línea: {scanners}.',
  'finding.offline.remedy': 'Encienda el escáner y compruebe su cable o su red.',
} as const satisfies Readonly<Record<keyof typeof english, Message>>;
