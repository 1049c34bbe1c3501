/*
 * platen-service.exe: Platen's service on Windows. `run` is for the service manager; the other verbs are for
 * administrators and the installer. Exit codes: 0 done, 1 failed, 2 wrong usage; of `status` also 3 stopped, 4 not installed.
 */
#include "access.h"
#include "desktops.h"
#include "layout.h"
#include "manager.h"
#include "prepare.h"
#include "supervise.h"

static const wchar_t *const HELP =
  L"platen-service VERB\n\n"
  L"  install [--node FILE] [--people NAME]...  make the service, its folders and its certificate, and start it\n"
  L"  remove                                    stop and remove the service; data and configuration stay\n"
  L"  status                                    exit code 0 running, 3 stopped, 4 not installed\n"
  L"  secure [--people NAME]...                 let the service read a new certificate's key; with NAME, set all rights\n"
  L"  --restrict-pipe NAME [ACCOUNT]...         leave this account's pipe to it, the system and the accounts given\n"
  L"  --access-rights PATH...                   print this account's SID, and owner and rights of each path in SDDL\n"
  L"  run [--node FILE]                         for the service manager\n"
  L"  prepare, undo [--all], desktops stop|remove|start   for the installer\n\n"
  L"NAME is an account, a group or a SID: people who scan. Without it, everyone who is logged on at this computer.";

/* Everyone with a session on this computer. */
static const wchar_t *const INTERACTIVE = L"S-1-5-4";

/* ---- under the service manager ---- */

static SERVICE_STATUS_HANDLE manager;
static SERVICE_STATUS status;
static HANDLE stopping;
static Text node;
/* How long the service manager waits for the next sign of life while the service starts or stops, in ms. */
static const DWORD HINT_MS = 10000;

static void report(DWORD state) {
  const bool pending = state == SERVICE_START_PENDING || state == SERVICE_STOP_PENDING;
  if (!pending && state == status.dwCurrentState) return;
  status.dwCheckPoint = pending ? status.dwCheckPoint + 1 : 0;
  status.dwWaitHint = pending ? HINT_MS : 0;
  status.dwCurrentState = state;
  status.dwControlsAccepted = state == SERVICE_RUNNING ? SERVICE_ACCEPT_STOP | SERVICE_ACCEPT_PRESHUTDOWN | SERVICE_ACCEPT_SHUTDOWN : 0;
  SetServiceStatus(manager, &status);
}

static DWORD WINAPI control(DWORD what, DWORD, void *, void *) {
  if (what == SERVICE_CONTROL_INTERROGATE) return NO_ERROR;
  if (what != SERVICE_CONTROL_STOP && what != SERVICE_CONTROL_PRESHUTDOWN && what != SERVICE_CONTROL_SHUTDOWN) return ERROR_CALL_NOT_IMPLEMENTED;
  SetEvent(stopping);
  return NO_ERROR;
}

static DWORD serve() {
  Layout layout = findLayout(node);
  Log log(layout.logs() + L"\\service.log");
  const Text config = layout.root + L"\\platen.json";
  setVariables(layout, config);
  SetCurrentDirectoryW(layout.data().c_str());
  Supervised service;
  service.command = {layout.node, layout.script(), L"serve", L"--config", config};
  service.stop = stopping;
  service.endsIfRefused = true;
  service.beat = [](bool ready, bool stops) { report(stops ? SERVICE_STOP_PENDING : ready ? SERVICE_RUNNING : SERVICE_START_PENDING); };
  return supervise(service, log);
}

static void WINAPI serviceMain(DWORD, wchar_t **) {
  manager = RegisterServiceCtrlHandlerExW(SERVICE_NAME, control, nullptr);
  if (!manager) return;
  status.dwServiceType = SERVICE_WIN32_OWN_PROCESS;
  report(SERVICE_START_PENDING);
  DWORD code = 1;
  try {
    code = serve();
  } catch (const Failure &failure) {
    complain(sentence(failure));
  }
  status.dwWin32ExitCode = code ? ERROR_SERVICE_SPECIFIC_ERROR : NO_ERROR;
  status.dwServiceSpecificExitCode = code;
  report(SERVICE_STOPPED);
}

static void run() {
  stopping = CreateEventW(nullptr, TRUE, FALSE, nullptr);
  SERVICE_TABLE_ENTRYW table[] = {{(wchar_t *)SERVICE_NAME, serviceMain}, {nullptr, nullptr}};
  must(StartServiceCtrlDispatcherW(table), L"\"run\" is for Windows' service manager; use \"install\"");
}

/* ---- verbs ---- */

struct Arguments {
  Text verb;
  std::vector<Text> rest, people;
  bool all = false;
};

/* For the installer: Windows Installer starts these as the system, with properties that others may have set. */
static bool isForInstaller(const Text &verb) { return verb == L"prepare" || verb == L"undo" || verb == L"desktops"; }

/* Stands for every account of the computer or the network, of whom the data folder's check accepts none: windowsDataFolder.ts. */
static const wchar_t *const CROWDS[] = {L"S-1-1-0", L"S-1-5-2", L"S-1-5-7", L"S-1-5-11", L"S-1-5-32-545", L"S-1-5-32-546"};

static Text peopleOf(const Text &name) {
  if (name.find_first_of(L"\"/[]:;|=,+*?<>") != Text::npos) throw Failure{L"--people takes an account, a group or a SID, not " + name, 0};
  const Text sid = sidOf(name);
  for (const wchar_t *each : CROWDS)
    if (sid == each) throw Failure{name + L" (" + sid + L") stands for too many accounts. Name a group of the people who scan, or leave it out: then everyone who is logged on at this computer scans", 0};
  return sid;
}

static Arguments parse(int count, wchar_t **given) {
  Arguments arguments;
  if (count > 1) arguments.verb = given[1];
  for (int i = 2; i < count; i++) {
    const Text each = given[i];
    const bool hasValue = i + 1 < count;
    if (each == L"--node" && hasValue && !isForInstaller(arguments.verb)) node = given[++i];
    /* An installer's property that nobody set is empty. */
    else if (each == L"--people" && hasValue) *given[++i] ? arguments.people.push_back(peopleOf(given[i])) : void();
    else if (each == L"--all" && arguments.verb == L"undo") arguments.all = true;
    else arguments.rest.push_back(each);
  }
  return arguments;
}

static std::vector<Text> peopleOr(const Arguments &arguments) {
  return arguments.people.empty() ? std::vector<Text>{INTERACTIVE} : arguments.people;
}

static int printState() {
  const ServiceState state = serviceState();
  print(state == ServiceState::running ? L"running" : state == ServiceState::stopped ? L"stopped" : L"not installed");
  return state == ServiceState::running ? 0 : state == ServiceState::stopped ? 3 : 4;
}

static int obey(const Arguments &arguments) {
  const Text &verb = arguments.verb;
  if (verb == L"--restrict-pipe" && !arguments.rest.empty())
    return restrictPipe(arguments.rest[0], std::vector<Text>(arguments.rest.begin() + 1, arguments.rest.end())), 0;
  if (verb == L"--access-rights") {
    /* Wine makes rights up from a file's mode. */
    if (GetProcAddress(GetModuleHandleW(L"ntdll.dll"), "wine_get_version")) throw Failure{L"Wine keeps no access rights", 0};
    print(ownSid());
    for (const Text &each : arguments.rest) print(rightsOf(each));
    return 0;
  }
  const Text what = arguments.rest.empty() ? L"" : arguments.rest[0];
  if (verb == L"desktops" && arguments.rest.size() == 1 && (what == L"stop" || what == L"remove" || what == L"start")) {
    if (what != L"start") stopDesktops(findPlaces(node), what == L"remove");
    else print(std::to_wstring(startDesktops(findLayout(node))) + L" started");
    return 0;
  }
  if (!arguments.rest.empty()) return complain(L"\"" + what + L"\" is not an argument of \"" + verb + L"\".\n\n" + HELP), 2;
  if (verb == L"run") return run(), 0;
  if (verb == L"status") return printState();
  if (verb == L"secure") {
    const Text root = findLayout(node).root;
    return arguments.people.empty() ? secureCertificate(root) : secureFolders(root, arguments.people), 0;
  }
  if (verb == L"prepare" && arguments.people.size() > 1) return complain(L"\"prepare\" takes one --people."), 2;
  if (verb == L"prepare") {
    prepare(findLayout(node), peopleOr(arguments));
    return configureService(), 0;
  }
  if (verb == L"undo") {
    stopService();
    return undo(findPlaces(node), arguments.all), 0;
  }
  if (verb == L"install") {
    const Layout layout = findLayout(node);
    prepare(layout, peopleOr(arguments));
    installService(layout);
    return setRunKey(layout), print(L"Installed and started."), 0;
  }
  if (verb == L"remove") {
    stopDesktops(findPlaces(node), true);
    removeRunKey();
    return print(removeService() ? L"Removed." : L"Was not installed."), 0;
  }
  const bool asked = verb == L"--help";
  (asked ? print : complain)(HELP);
  return asked ? 0 : 2;
}

int wmain(int count, wchar_t **given) {
  SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOGPFAULTERRORBOX | SEM_NOOPENFILEERRORBOX);
  try {
    return obey(parse(count, given));
  } catch (const Failure &failure) {
    return complain(sentence(failure)), 1;
  }
}
