/*
 * conrun.exe COMMAND LINE: runs a command with its standard streams on the console.
 *
 * On Windows a program that is started on a pseudoconsole has its streams there. Under Wine 8 it gets those of the
 * program that started it, so the tests of terminals start this in its place: it opens the console by its names and
 * hands it on. It waits for the command and exits with its code.
 */
#include <windows.h>

static HANDLE open_console(const char *name) {
  SECURITY_ATTRIBUTES inherited = {sizeof inherited, NULL, TRUE};
  return CreateFileA(name, GENERIC_READ | GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE, &inherited,
                     OPEN_EXISTING, 0, NULL);
}

/* The command line of this program without its own name. */
static char *rest_of_line(void) {
  char *line = GetCommandLineA();
  for (int quoted = 0; *line != 0 && (quoted || *line != ' '); line++) {
    if (*line == '"') quoted = !quoted;
  }
  while (*line == ' ') line++;
  return line;
}

/* Ctrl-C is for the command. */
static BOOL WINAPI ignore(DWORD event) {
  return event == CTRL_C_EVENT || event == CTRL_BREAK_EVENT;
}

int main(void) {
  SetConsoleCtrlHandler(ignore, TRUE);
  STARTUPINFOA start = {.cb = sizeof start, .dwFlags = STARTF_USESTDHANDLES};
  start.hStdInput = open_console("CONIN$");
  start.hStdOutput = start.hStdError = open_console("CONOUT$");
  if (start.hStdInput == INVALID_HANDLE_VALUE || start.hStdOutput == INVALID_HANDLE_VALUE) return 90;
  PROCESS_INFORMATION process;
  if (!CreateProcessA(NULL, rest_of_line(), NULL, NULL, TRUE, 0, NULL, NULL, &start, &process)) return 91;
  WaitForSingleObject(process.hProcess, INFINITE);
  DWORD code = 92;
  GetExitCodeProcess(process.hProcess, &code);
  return (int)code;
}
