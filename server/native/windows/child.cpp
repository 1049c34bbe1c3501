#include "child.h"

#include <algorithm>

/* Platen's helpers close their scanner within 1.5 s after the process that started them has ended. */
static const DWORD HELPERS_MS = 3000;

struct Pipe {
  Handle read, write;
  Pipe() { must(CreatePipe(&read.value, &write.value, nullptr, 0), L"Windows gives no pipe"); }
  static HANDLE handOver(Handle &end) {
    HANDLE value = end.value;
    end.value = nullptr;
    return value;
  }
};

/* The only handles that a child inherits are its three streams. */
struct Inherited {
  std::vector<HANDLE> handles;
  std::vector<char> memory;
  LPPROC_THREAD_ATTRIBUTE_LIST list;
  explicit Inherited(std::vector<HANDLE> given) : handles(given) {
    for (HANDLE each : handles) SetHandleInformation(each, HANDLE_FLAG_INHERIT, HANDLE_FLAG_INHERIT);
    SIZE_T size = 0;
    InitializeProcThreadAttributeList(nullptr, 1, 0, &size);
    memory.resize(size);
    list = (LPPROC_THREAD_ATTRIBUTE_LIST)memory.data();
    must(InitializeProcThreadAttributeList(list, 1, 0, &size), L"Windows gives no list of handles");
    UpdateProcThreadAttribute(list, 0, PROC_THREAD_ATTRIBUTE_HANDLE_LIST, handles.data(), handles.size() * sizeof(HANDLE), nullptr, nullptr);
  }
  ~Inherited() { DeleteProcThreadAttributeList(list); }
};

Child::Child(const std::vector<Text> &command, Log &log) : log(log), number(0), spoke(false) {
  job.value = CreateJobObjectW(nullptr, nullptr);
  must(job.value != nullptr, L"Windows gives no job");
  JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits = {};
  limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
  must(SetInformationJobObject(job.value, JobObjectExtendedLimitInformation, &limits, sizeof limits), L"The job takes no limit");
  Pipe in, said, erred;
  launch(commandLine(command), in.read.value, said.write.value, erred.write.value);
  input.value = Pipe::handOver(in.write);
  out.from.value = Pipe::handOver(said.read);
  err.from.value = Pipe::handOver(erred.read);
  out.first = true;
  err.first = false;
  for (Reader *each : {&out, &err}) {
    each->child = this;
    each->thread.value = CreateThread(nullptr, 0, read, each, 0, nullptr);
  }
}

void Child::launch(Text line, HANDLE in, HANDLE out, HANDLE err) {
  Inherited inherited({in, out, err});
  STARTUPINFOEXW start = {};
  start.StartupInfo.cb = sizeof start;
  start.StartupInfo.dwFlags = STARTF_USESTDHANDLES;
  start.StartupInfo.hStdInput = in;
  start.StartupInfo.hStdOutput = out;
  start.StartupInfo.hStdError = err;
  start.lpAttributeList = inherited.list;
  PROCESS_INFORMATION made = {};
  const DWORD flags = CREATE_SUSPENDED | CREATE_NO_WINDOW | EXTENDED_STARTUPINFO_PRESENT;
  must(CreateProcessW(nullptr, &line[0], nullptr, nullptr, TRUE, flags, nullptr, nullptr, &start.StartupInfo, &made), L"Could not start " + line);
  running.value = made.hProcess;
  number = made.dwProcessId;
  Handle thread(made.hThread);
  if (!AssignProcessToJobObject(job.value, made.hProcess)) {
    Failure failure = {L"The job does not take the process", GetLastError()};
    TerminateProcess(made.hProcess, 1);
    throw failure;
  }
  ResumeThread(thread.value);
}

DWORD WINAPI Child::read(void *given) {
  Reader *reader = (Reader *)given;
  char bytes[4096];
  DWORD length;
  while (ReadFile(reader->from.value, bytes, sizeof bytes, &length, nullptr)) {
    reader->child->log.add(bytes, length);
    if (reader->first && std::find(bytes, bytes + length, '\n') != bytes + length) reader->child->spoke = true;
  }
  return 0;
}

DWORD Child::code() {
  DWORD code = 1;
  GetExitCodeProcess(running.value, &code);
  for (DWORD waited = 0; waited < HELPERS_MS; waited += 50) {
    JOBOBJECT_BASIC_ACCOUNTING_INFORMATION now = {};
    if (!QueryInformationJobObject(job.value, JobObjectBasicAccountingInformation, &now, sizeof now, nullptr) || now.ActiveProcesses == 0) break;
    Sleep(50);
  }
  for (Reader *each : {&out, &err}) WaitForSingleObject(each->thread.value, 1000);
  return code;
}

Child::~Child() {
  if (job.value) TerminateJobObject(job.value, 1);
  for (Reader *each : {&out, &err})
    /* A process outside the job may still hold the other end. */
    while (each->thread.value && WaitForSingleObject(each->thread.value, 100) == WAIT_TIMEOUT) CancelSynchronousIo(each->thread.value);
}

DWORD runToEnd(const std::vector<Text> &command, Log &log, DWORD most) {
  Child child(command, log);
  if (WaitForSingleObject(child.process(), most) != WAIT_OBJECT_0) return ERROR_TIMEOUT;
  return child.code();
}
