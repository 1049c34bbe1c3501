#include "text.h"

static Text words(DWORD code) {
  wchar_t *found = nullptr;
  const DWORD how = FORMAT_MESSAGE_ALLOCATE_BUFFER | FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_IGNORE_INSERTS;
  DWORD length = FormatMessageW(how, nullptr, code, 0, (wchar_t *)&found, 0, nullptr);
  Text text(found ? found : L"", length);
  LocalFree(found);
  while (!text.empty() && wcschr(L"\r\n .", text.back())) text.pop_back();
  return text;
}

Text sentence(const Failure &failure) {
  if (!failure.code) return failure.what + L".";
  Text said = words(failure.code);
  return failure.what + L": " + (said.empty() ? L"" : said + L" ") + L"(error " + std::to_wstring(failure.code) + L").";
}

std::string utf8(const Text &text) {
  std::string bytes(3 * text.size(), 0);
  bytes.resize((size_t)WideCharToMultiByte(CP_UTF8, 0, text.c_str(), (int)text.size(), &bytes[0], (int)bytes.size(), nullptr, nullptr));
  return bytes;
}

/* From the documentation of CommandLineToArgvW: backslashes count only before a quotation mark. */
Text quoted(const Text &argument) {
  if (!argument.empty() && argument.find_first_of(L" \t\"") == Text::npos) return argument;
  Text result = L"\"";
  size_t slashes = 0;
  for (wchar_t each : argument) {
    if (each == L'"') result.append(slashes + 1, L'\\');
    slashes = each == L'\\' ? slashes + 1 : 0;
    result += each;
  }
  return result.append(slashes, L'\\') + L"\"";
}

Text commandLine(const std::vector<Text> &arguments) {
  Text line;
  for (const Text &each : arguments) line += (line.empty() ? L"" : L" ") + quoted(each);
  return line;
}

static void write(DWORD stream, const Text &line) {
  std::string bytes = utf8(line) + "\r\n";
  DWORD written;
  HANDLE to = GetStdHandle(stream);
  if (GetFileType(to) != FILE_TYPE_CHAR || !WriteConsoleW(to, (line + L"\r\n").c_str(), (DWORD)line.size() + 2, &written, nullptr))
    WriteFile(to, bytes.data(), (DWORD)bytes.size(), &written, nullptr);
}

void complain(const Text &line) { write(STD_ERROR_HANDLE, line); }
void print(const Text &line) { write(STD_OUTPUT_HANDLE, line); }
