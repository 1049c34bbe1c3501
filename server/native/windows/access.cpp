#include "access.h"

#include <aclapi.h>
#include <sddl.h>

/* Windows' own accounts in SDDL: SY is the system, BA administrators, BU users, and LS LOCAL SERVICE. */
static const wchar_t *const SYSTEM_AND_ADMINISTRATORS = L"(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)";
/* Access masks of files and folders as icacls names them: RX, M, and RX with WD (add files to a folder). */
static const wchar_t *const READ = L"0x1200a9", *const MODIFY = L"0x1301bf", *const ADD_FILES = L"0x1200ab";
/* A folder's own rights without DELETE, so that it cannot be renamed. */
static const wchar_t *const FILL = L"0x1201bf";
/* A pipe's: read and write. */
static const wchar_t *const CONNECT = L"0x12019f";

static Text entry(const wchar_t *inheritance, const wchar_t *mask, const Text &sid) {
  return Text(L"(A;") + inheritance + L";" + mask + L";;;" + sid + L")";
}

struct Descriptor {
  PSECURITY_DESCRIPTOR value;
  explicit Descriptor(PSECURITY_DESCRIPTOR value = nullptr) : value(value) {}
  ~Descriptor() { LocalFree(value); }
  PACL list() const {
    BOOL present = FALSE, standard = FALSE;
    PACL list = nullptr;
    GetSecurityDescriptorDacl(value, &present, &list, &standard);
    return list;
  }
};

static void parse(const Text &text, Descriptor &into) {
  must(ConvertStringSecurityDescriptorToSecurityDescriptorW(text.c_str(), SDDL_REVISION_1, &into.value, nullptr), L"Windows does not read the rights " + text);
}

static Text textOf(PSID sid) {
  wchar_t *text = nullptr;
  must(ConvertSidToStringSidW(sid, &text), L"A SID has no text");
  Text copy = text;
  LocalFree(text);
  return copy;
}

Text sidOf(const Text &name) {
  PSID sid = nullptr;
  if (ConvertStringSidToSidW(name.c_str(), &sid)) {
    Text text = textOf(sid);
    LocalFree(sid);
    return text;
  }
  BYTE found[SECURITY_MAX_SID_SIZE];
  wchar_t domain[256];
  DWORD size = sizeof found, length = 256;
  SID_NAME_USE use;
  must(LookupAccountNameW(nullptr, name.c_str(), found, &size, domain, &length, &use), L"There is no account or group named " + name);
  return textOf(found);
}

/* An administrator, and the system, may take ownership once the privilege is switched on. */
static void enable(const wchar_t *privilege) {
  Handle token;
  TOKEN_PRIVILEGES wanted = {};
  wanted.PrivilegeCount = 1;
  wanted.Privileges[0].Attributes = SE_PRIVILEGE_ENABLED;
  if (!OpenProcessToken(GetCurrentProcess(), TOKEN_ADJUST_PRIVILEGES, &token.value)) return;
  if (LookupPrivilegeValueW(nullptr, privilege, &wanted.Privileges[0].Luid)) AdjustTokenPrivileges(token.value, FALSE, &wanted, 0, nullptr, nullptr);
}

static bool isFolder(const Text &path, bool &isLink) {
  DWORD attributes = GetFileAttributesW(path.c_str());
  if (attributes == INVALID_FILE_ATTRIBUTES) return false;
  isLink = (attributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0;
  return (attributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
}

Text ownSid() {
  Handle token;
  BYTE user[sizeof(TOKEN_USER) + SECURITY_MAX_SID_SIZE];
  DWORD size;
  must(OpenProcessToken(GetCurrentProcess(), TOKEN_QUERY, &token.value), L"Windows does not name this account");
  must(GetTokenInformation(token.value, TokenUser, user, sizeof user, &size), L"Windows does not name this account");
  return textOf(((TOKEN_USER *)user)->User.Sid);
}

/* Or of this account, which is an administrator's too. */
static bool isOfAdministrators(const Text &path) {
  Descriptor descriptor;
  PSID owner = nullptr;
  const DWORD failed = GetNamedSecurityInfoW((wchar_t *)path.c_str(), SE_FILE_OBJECT, OWNER_SECURITY_INFORMATION, &owner, nullptr, nullptr, nullptr, &descriptor.value);
  if (failed) throw Failure{L"Windows does not name the owner of " + path, failed};
  return IsWellKnownSid(owner, WinBuiltinAdministratorsSid) || IsWellKnownSid(owner, WinLocalSystemSid) || textOf(owner) == ownSid();
}

static const wchar_t *const ASIDE = L".not-platen-";

static void moveAside(const Text &path) {
  const Text aside = path + ASIDE + std::to_wstring(GetTickCount64());
  must(MoveFileExW(path.c_str(), aside.c_str(), 0), path + L" belongs to another account and could not be moved aside");
}

void moveForeignFolder(const Text &path) {
  bool isLink = false;
  isFolder(path, isLink);
  if (GetFileAttributesW(path.c_str()) == INVALID_FILE_ATTRIBUTES) return;
  if (!isLink && isOfAdministrators(path)) return;
  moveAside(path);
}

void makeFolder(const Text &path, const Text &rights) {
  Descriptor descriptor;
  parse(L"O:BAD:P" + rights, descriptor);
  /* Made with its rights, so that nobody puts anything in before. */
  SECURITY_ATTRIBUTES made = {sizeof made, descriptor.value, FALSE};
  must(CreateDirectoryW(path.c_str(), &made) || GetLastError() == ERROR_ALREADY_EXISTS, path + L" could not be made");
  bool isLink = false;
  if (!isFolder(path, isLink) || isLink) throw Failure{path + L" is not a folder", 0};
  if (!isOfAdministrators(path)) throw Failure{path + L" belongs to another account", ERROR_ACCESS_DENIED};
  PSID owner = nullptr;
  BOOL standard;
  GetSecurityDescriptorOwner(descriptor.value, &owner, &standard);
  const SECURITY_INFORMATION what = OWNER_SECURITY_INFORMATION | DACL_SECURITY_INFORMATION | PROTECTED_DACL_SECURITY_INFORMATION;
  const DWORD failed = SetNamedSecurityInfoW((wchar_t *)path.c_str(), SE_FILE_OBJECT, what, owner, nullptr, descriptor.list(), nullptr);
  if (failed) throw Failure{L"Windows does not set the rights of " + path, failed};
}

static std::vector<Text> entriesOf(const Text &folder) {
  std::vector<Text> paths;
  WIN32_FIND_DATAW each;
  HANDLE search = FindFirstFileW((folder + L"\\*").c_str(), &each);
  if (search == INVALID_HANDLE_VALUE) return paths;
  do
    if (wcscmp(each.cFileName, L".") && wcscmp(each.cFileName, L"..") && !wcsstr(each.cFileName, ASIDE)) paths.push_back(folder + L"\\" + each.cFileName);
  while (FindNextFileW(search, &each));
  FindClose(search);
  return paths;
}

void secureFolders(const Text &root, const std::vector<Text> &people) {
  enable(SE_TAKE_OWNERSHIP_NAME);
  enable(SE_RESTORE_NAME);
  moveForeignFolder(root);
  const Text all = SYSTEM_AND_ADMINISTRATORS;
  makeFolder(root, all + entry(L"OICI", READ, L"LS") + entry(L"OICI", READ, L"BU"));
  /* What others put in while they could: an administrator who makes a folder in %ProgramData% lets everyone add to it. */
  for (const Text &each : entriesOf(root)) moveForeignFolder(each);
  makeFolder(root + L"\\logs", all + entry(L"OICI", MODIFY, L"LS"));
  Text data = all + entry(L"", FILL, L"LS") + entry(L"OICIIO", MODIFY, L"LS");
  /* They add files and use the files in it, but cannot add folders, rename it, or use what is in its folders. */
  for (const Text &each : people) data += entry(L"", ADD_FILES, each) + entry(L"OIIONP", MODIFY, each);
  makeFolder(root + L"\\data", data);
  secureCertificate(root);
}

void secureCertificate(const Text &root) {
  const Text folder = root + L"\\data\\certificate";
  bool isLink = false;
  if (isFolder(folder, isLink) && !isLink)
    for (const Text &each : entriesOf(folder))
      if (!isOfAdministrators(each)) return moveAside(folder); /* a key that somebody else knows */
  moveForeignFolder(folder);
  if (isFolder(folder, isLink)) makeFolder(folder, SYSTEM_AND_ADMINISTRATORS + entry(L"OICI", READ, L"LS"));
}

Text rightsOf(const Text &path) {
  const SECURITY_INFORMATION what = OWNER_SECURITY_INFORMATION | DACL_SECURITY_INFORMATION;
  Descriptor descriptor;
  wchar_t *text = nullptr;
  if (GetNamedSecurityInfoW((wchar_t *)path.c_str(), SE_FILE_OBJECT, what, nullptr, nullptr, nullptr, nullptr, &descriptor.value)) return L"-";
  if (!ConvertSecurityDescriptorToStringSecurityDescriptorW(descriptor.value, SDDL_REVISION_1, what, &text, nullptr)) return L"-";
  Text copy = text;
  LocalFree(text);
  return copy;
}

void restrictPipe(const Text &name, const std::vector<Text> &accounts) {
  const Text prefix = L"\\\\.\\pipe\\";
  const Text path = name.compare(0, prefix.size(), prefix) == 0 ? name : prefix + name;
  const DWORD limited = SECURITY_SQOS_PRESENT | SECURITY_ANONYMOUS; /* its server does not learn who opened it */
  Handle pipe(CreateFileW(path.c_str(), READ_CONTROL | WRITE_DAC, 0, nullptr, OPEN_EXISTING, limited, nullptr));
  must(pipe.value != INVALID_HANDLE_VALUE, L"The pipe " + path + L" cannot be opened by its owner");
  Descriptor before, after;
  PSID owner = nullptr;
  DWORD failed = GetSecurityInfo(pipe.value, SE_KERNEL_OBJECT, OWNER_SECURITY_INFORMATION, &owner, nullptr, nullptr, nullptr, &before.value);
  if (failed) throw Failure{L"Windows does not name the owner of " + path, failed};
  BOOL isOurs = FALSE;
  /* The owner is this account, or administrators if this process runs as one. */
  must(CheckTokenMembership(nullptr, owner, &isOurs), L"Windows does not compare accounts");
  if (!isOurs) throw Failure{L"The pipe " + path + L" belongs to " + textOf(owner) + L", not to this account", ERROR_ACCESS_DENIED};
  /* NU: logons over the network. A refusal comes before every grant; no pipe of Platen is for other computers. */
  Text rights = Text(L"(D;;FA;;;NU)") + entry(L"", L"FA", ownSid()) + entry(L"", L"FA", textOf(owner)) + entry(L"", L"FA", L"SY");
  for (const Text &each : accounts) rights += entry(L"", CONNECT, sidOf(each));
  parse(L"D:P" + rights, after);
  failed = SetSecurityInfo(pipe.value, SE_KERNEL_OBJECT, DACL_SECURITY_INFORMATION | PROTECTED_DACL_SECURITY_INFORMATION, nullptr, nullptr, after.list(), nullptr);
  if (failed) throw Failure{L"Windows does not set the rights of " + path, failed};
}
