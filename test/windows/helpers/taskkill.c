/*
 * taskkill.exe /PID NUMBER [/T] [/F]: ends a process by force, with /T its descendants as well.
 *
 * Wine 8 has a taskkill without /T, which the exec-server uses to end what it has started. This one takes its place in
 * the tests, and as on Windows it refuses the number 0.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

#include <tlhelp32.h>

#define MAX_PROCESSES 4096
static DWORD pids[MAX_PROCESSES], parents[MAX_PROCESSES];
static int count;

static void list_processes(void) {
  HANDLE all = CreateToolhelp32Snapshot(TH32CS_SNAPPROCESS, 0);
  PROCESSENTRY32 entry = {.dwSize = sizeof entry};
  for (BOOL more = Process32First(all, &entry); more && count < MAX_PROCESSES; more = Process32Next(all, &entry)) {
    pids[count] = entry.th32ProcessID;
    parents[count++] = entry.th32ParentProcessID;
  }
  CloseHandle(all);
}

static BOOL end_process(DWORD pid) {
  HANDLE process = OpenProcess(PROCESS_TERMINATE, FALSE, pid);
  if (process == NULL) return FALSE;
  BOOL ended = TerminateProcess(process, 1);
  CloseHandle(process);
  return ended;
}

static BOOL end_tree(DWORD pid, int depth) {
  for (int i = 0; i < count && depth < 64; i++) {
    if (parents[i] == pid && pids[i] != pid) end_tree(pids[i], depth + 1);
  }
  return end_process(pid);
}

int main(int argc, char **argv) {
  DWORD pid = 0;
  BOOL tree = FALSE;
  for (int i = 1; i < argc; i++) {
    if (_stricmp(argv[i], "/PID") == 0 && i + 1 < argc) pid = strtoul(argv[++i], NULL, 10);
    if (_stricmp(argv[i], "/T") == 0) tree = TRUE;
  }
  if (pid == 0) {
    fprintf(stderr, "ERROR: The process with PID 0 could not be terminated.\n");
    return 1;
  }
  if (tree) list_processes();
  return end_tree(pid, 0) ? 0 : 128;
}
