/* Wide streams: characters, lines, formats, in and out. */
#define _GNU_SOURCE
#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

int main(void) {
    wchar_t line[64];
    setlocale(LC_ALL, "");
    wprintf(L"a line %d %ls %.2f\n", 12, L"wide", 2.5);
    FILE *file = fopen("input", "r");
    wint_t c = fgetwc(file);
    fputwc((wchar_t)c, stdout);
    putwchar(L'\n');
    wprintf(L"%ls", fgetws(line, 64, file));
    c = getwc(file);
    ungetwc(c, file);
    int number = 0, n = fwscanf(file, L"%d %ls", &number, line);
    wprintf(L"%d: %d %ls\n", n, number, line);
    while ((c = fgetwc(file)) != WEOF)
        fputwc((wchar_t)c, stdout);
    wprintf(L"end %d error %d %d\n", feof(file), ferror(file), errno);
    fclose(file);
    fputws(L"whole line \x20ac\n", stderr);
    fwprintf(stderr, L"no end %d", 3);
    for (int i = 0; i < 600; i++)
        wprintf(L"%d%ls", i, i % 7 ? L" \xe4" : L"\n");
    n = wscanf(L"%d", &number);
    wprintf(L"\nscanned %d %d", n, number);
    return fwide(stdout, 0) > 0 ? 3 : 4;
}
