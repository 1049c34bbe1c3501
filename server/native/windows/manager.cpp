#include "manager.h"

const wchar_t *const SERVICE_NAME = L"Platen";
static const wchar_t *const TITLE = L"Platen scanner service";
static const wchar_t *const DESCRIPTION = L"Lets web applications in the browsers of this computer use its scanners.";
static const wchar_t *const ACCOUNT = L"NT AUTHORITY\\LocalService";
/* Of LOCAL SERVICE's privileges it keeps the one that Windows needs to open files in folders; a list of strings. */
static const wchar_t PRIVILEGES[] = L"SeChangeNotifyPrivilege\0";
/* If the service host itself ends: the pauses before Windows starts it again, in ms. */
static const DWORD RESTARTS_MS[] = {5000, 30000, 120000};
static const DWORD FORGET_RESTARTS_S = 24 * 3600;
/* Platen ends itself 30 s after it was told to stop. */
static const DWORD PRESHUTDOWN_MS = 40000, STOP_MS = 60000;

struct Service {
  SC_HANDLE value;
  explicit Service(SC_HANDLE value) : value(value) {}
  ~Service() { close(); }
  void close() {
    if (value) CloseServiceHandle(value);
    value = nullptr;
  }
  Service(const Service &) = delete;
  void operator=(const Service &) = delete;
};

static SC_HANDLE connect(DWORD rights) {
  SC_HANDLE manager = OpenSCManagerW(nullptr, nullptr, rights);
  must(manager != nullptr, L"The service manager rejects this account; run it as an administrator");
  return manager;
}

static void configure(SC_HANDLE service) {
  SC_ACTION actions[3];
  for (int i = 0; i < 3; i++) actions[i] = {SC_ACTION_RESTART, RESTARTS_MS[i]};
  SERVICE_FAILURE_ACTIONSW failure = {};
  failure.dwResetPeriod = FORGET_RESTARTS_S;
  failure.cActions = 3;
  failure.lpsaActions = actions;
  SERVICE_DESCRIPTIONW description = {(wchar_t *)DESCRIPTION};
  SERVICE_SID_INFO sid = {SERVICE_SID_TYPE_UNRESTRICTED};
  SERVICE_REQUIRED_PRIVILEGES_INFOW privileges = {(wchar_t *)PRIVILEGES};
  SERVICE_PRESHUTDOWN_INFO preshutdown = {PRESHUTDOWN_MS};
  const struct { DWORD level; void *value; const wchar_t *name; } all[] = {
    {SERVICE_CONFIG_DESCRIPTION, &description, L"description"}, {SERVICE_CONFIG_FAILURE_ACTIONS, &failure, L"restarts"},
    {SERVICE_CONFIG_SERVICE_SID_INFO, &sid, L"SID"}, {SERVICE_CONFIG_REQUIRED_PRIVILEGES_INFO, &privileges, L"privileges"},
    {SERVICE_CONFIG_PRESHUTDOWN_INFO, &preshutdown, L"time to stop"}};
  for (const auto &each : all)
    /* A level that this Windows does not know is left out: Wine knows few. */
    if (!ChangeServiceConfig2W(service, each.level, each.value) && GetLastError() != ERROR_INVALID_LEVEL && GetLastError() != ERROR_CALL_NOT_IMPLEMENTED)
      must(false, Text(L"The service manager does not take the service's ") + each.name);
}

void configureService() {
  Service manager(connect(SC_MANAGER_CONNECT));
  Service service(OpenServiceW(manager.value, SERVICE_NAME, SERVICE_CHANGE_CONFIG | SERVICE_START));
  must(service.value != nullptr, L"The service is not installed");
  configure(service.value);
}

static DWORD stateOf(const Service &service) {
  SERVICE_STATUS status = {};
  must(QueryServiceStatus(service.value, &status), L"The service manager does not say the service's state");
  return status.dwCurrentState;
}

static void stop(const Service &service) {
  DWORD state;
  for (DWORD waited = 0; (state = stateOf(service)) != SERVICE_STOPPED; waited += 100) {
    SERVICE_STATUS status;
    /* A service that is starting takes no order yet. */
    if (state != SERVICE_STOP_PENDING) ControlService(service.value, SERVICE_CONTROL_STOP, &status);
    if (waited > STOP_MS) throw Failure{L"The service did not stop", ERROR_SERVICE_REQUEST_TIMEOUT};
    Sleep(100);
  }
}

void installService(const Layout &layout) {
  const Text command = commandLine({layout.service(), L"run", L"--node", layout.node});
  Service manager(connect(SC_MANAGER_CONNECT | SC_MANAGER_CREATE_SERVICE));
  const DWORD kind = SERVICE_WIN32_OWN_PROCESS, how = SERVICE_AUTO_START, bad = SERVICE_ERROR_NORMAL;
  Service service(CreateServiceW(manager.value, SERVICE_NAME, TITLE, SERVICE_ALL_ACCESS, kind, how, bad, command.c_str(), nullptr, nullptr, nullptr, ACCOUNT, nullptr));
  if (!service.value) {
    must(GetLastError() == ERROR_SERVICE_EXISTS, L"The service manager does not create the service");
    service.value = OpenServiceW(manager.value, SERVICE_NAME, SERVICE_ALL_ACCESS);
    must(service.value != nullptr, L"The service cannot be changed");
    stop(service);
    must(ChangeServiceConfigW(service.value, kind, how, bad, command.c_str(), nullptr, nullptr, nullptr, ACCOUNT, nullptr, TITLE), L"The service cannot be changed");
  }
  configure(service.value);
  must(StartServiceW(service.value, 0, nullptr), L"The service does not start");
}

void stopService() {
  Service manager(connect(SC_MANAGER_CONNECT));
  Service service(OpenServiceW(manager.value, SERVICE_NAME, SERVICE_STOP | SERVICE_QUERY_STATUS));
  if (service.value) stop(service);
}

bool removeService() {
  Service manager(connect(SC_MANAGER_CONNECT));
  Service service(OpenServiceW(manager.value, SERVICE_NAME, SERVICE_STOP | SERVICE_QUERY_STATUS | DELETE));
  if (!service.value) {
    must(GetLastError() == ERROR_SERVICE_DOES_NOT_EXIST, L"The service cannot be removed");
    return false;
  }
  stop(service);
  must(DeleteService(service.value), L"The service cannot be removed");
  return true;
}

ServiceState serviceState() {
  Service manager(connect(SC_MANAGER_CONNECT));
  Service service(OpenServiceW(manager.value, SERVICE_NAME, SERVICE_QUERY_STATUS));
  if (!service.value) {
    must(GetLastError() == ERROR_SERVICE_DOES_NOT_EXIST, L"The service's state cannot be read");
    return ServiceState::absent;
  }
  return stateOf(service) == SERVICE_RUNNING ? ServiceState::running : ServiceState::stopped;
}
