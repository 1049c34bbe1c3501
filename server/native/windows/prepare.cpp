#include "prepare.h"

#include <wincrypt.h>

#include "access.h"
#include "child.h"

/* Making a key and asking Windows' certutil takes seconds, on a slow disk. */
static const DWORD CERTIFICATE_MS = 120 * 1000;

/* What an administrator may change, and the package's file that it is made from. */
struct Made {
  const wchar_t *name, *source;
};
static const Made FILES[] = {{L"platen.json", L"installed.json"},
                             {L"host.json", L"installed.host.json"},
                             {L"schema.json", L"schema.json"},
                             {L"host.schema.json", L"host.schema.json"}};

static Text shipped(const Layout &layout, const wchar_t *name) { return layout.server + L"\\config\\" + name; }

static std::string bytesOf(const Text &path) {
  Handle file(CreateFileW(path.c_str(), GENERIC_READ, FILE_SHARE_READ, nullptr, OPEN_EXISTING, 0, nullptr));
  if (file.value == INVALID_HANDLE_VALUE) return "";
  std::string all;
  char part[4096];
  DWORD length;
  while (ReadFile(file.value, part, sizeof part, &length, nullptr) && length) all.append(part, length);
  return all;
}

/* Where only administrators write: in the folder of logs, the service's account could put a link. */
static Text logOf(const Layout &layout) { return layout.root + L"\\installation.log"; }

static void certificate(const Layout &layout, const wchar_t *verb) {
  const Text file = logOf(layout);
  Log log(file);
  log.say(Text(L"platen cert ") + verb);
  const DWORD code = runToEnd({layout.node, layout.script(), L"cert", verb}, log, CERTIFICATE_MS);
  if (code) throw Failure{Text(L"platen cert ") + verb + L" ended with " + std::to_wstring(code) + L"; " + file + L" has its output", 0};
}

void prepare(const Layout &layout, const std::vector<Text> &people) {
  secureFolders(layout.root, people);
  for (const Made &each : FILES)
    if (!CopyFileW(shipped(layout, each.source).c_str(), (layout.root + L"\\" + each.name).c_str(), TRUE) && GetLastError() != ERROR_FILE_EXISTS)
      must(false, layout.root + L"\\" + each.name + L" could not be written");
  setVariables(layout, layout.root + L"\\platen.json");
  certificate(layout, L"install");
  secureFolders(layout.root, people); /* the certificate's folder is new */
}

/* Removes the certificate from the computer's Root store, without Node. It and the store stay if either cannot be read. */
static void distrust(const Text &file) {
  const std::string pem = bytesOf(file);
  std::vector<BYTE> der(pem.size());
  DWORD size = (DWORD)der.size();
  if (!CryptStringToBinaryA(pem.data(), (DWORD)pem.size(), CRYPT_STRING_BASE64HEADER, der.data(), &size, nullptr, nullptr)) return;
  PCCERT_CONTEXT own = CertCreateCertificateContext(X509_ASN_ENCODING, der.data(), size);
  if (!own) return;
  /* Its part in the registry, where certutil writes; the other parts are Windows' own and those of group policies. */
  if (HCERTSTORE store = CertOpenStore(CERT_STORE_PROV_SYSTEM_REGISTRY_W, 0, 0, CERT_SYSTEM_STORE_LOCAL_MACHINE, L"Root")) {
    if (PCCERT_CONTEXT found = CertFindCertificateInStore(store, X509_ASN_ENCODING, 0, CERT_FIND_EXISTING, own, nullptr))
      if (!CertDeleteCertificateFromStore(found)) /* which also frees it */
        complain(sentence(Failure{L"The certificate stays in the Root store of this computer", GetLastError()}));
    CertCloseStore(store, 0);
  }
  CertFreeCertificateContext(own);
}

/* A link is removed and not followed. While it is held, nobody can put a link in a folder's place. */
static void removeTree(const Text &folder) {
  const DWORD shared = FILE_SHARE_READ | FILE_SHARE_WRITE, itself = FILE_FLAG_BACKUP_SEMANTICS | FILE_FLAG_OPEN_REPARSE_POINT;
  Handle held(CreateFileW(folder.c_str(), FILE_LIST_DIRECTORY | FILE_READ_ATTRIBUTES, shared, nullptr, OPEN_EXISTING, itself, nullptr));
  BY_HANDLE_FILE_INFORMATION found;
  if (held.value == INVALID_HANDLE_VALUE || !GetFileInformationByHandle(held.value, &found)) return;
  if (found.dwFileAttributes & FILE_ATTRIBUTE_REPARSE_POINT) {
    held.close();
    RemoveDirectoryW(folder.c_str());
    return;
  }
  WIN32_FIND_DATAW each;
  HANDLE search = FindFirstFileW((folder + L"\\*").c_str(), &each);
  if (search != INVALID_HANDLE_VALUE) {
    do {
      const Text path = folder + L"\\" + each.cFileName;
      if (wcscmp(each.cFileName, L".") == 0 || wcscmp(each.cFileName, L"..") == 0) continue;
      if (!(each.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY)) DeleteFileW(path.c_str());
      else if (each.dwFileAttributes & FILE_ATTRIBUTE_REPARSE_POINT) RemoveDirectoryW(path.c_str());
      else removeTree(path);
    } while (FindNextFileW(search, &each));
    FindClose(search);
  }
  held.close();
  RemoveDirectoryW(folder.c_str());
}

void undo(const Layout &layout, bool all) {
  setVariables(layout, layout.root + L"\\platen.json");
  try {
    certificate(layout, L"remove");
  } catch (const Failure &failure) {
    complain(sentence(failure)); /* the rest is removed all the same */
    const Text folder = layout.data() + L"\\certificate\\cert";
    distrust(folder + L".pem");
    for (wchar_t number = L'2'; number <= L'9'; number++) distrust(folder + L"-" + number + L".pem"); /* its successors */
  }
  for (const Made &each : FILES) {
    const Text own = layout.root + L"\\" + each.name;
    if (bytesOf(own) == bytesOf(shipped(layout, each.source))) DeleteFileW(own.c_str());
  }
  removeTree(layout.logs());
  DeleteFileW(logOf(layout).c_str());
  if (all) removeTree(layout.root);
  if (all) removeTree(layout.plugins());
  RemoveDirectoryW(layout.root.c_str()); /* if it is empty */
}
