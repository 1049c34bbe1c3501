@echo off
setlocal
rem Platen's command line, with the files of this installation.
if not defined PLATEN_DATA_DIR set "PLATEN_DATA_DIR=%ProgramData%\Platen\data"
if not defined PLATEN_PLUGINS_DIR set "PLATEN_PLUGINS_DIR=%~dp0plugins"
if defined PLATEN_CONFIG goto run
set "PLATEN_CONFIG=%ProgramData%\Platen\platen.json"
if /i "%~1"=="host" set "PLATEN_CONFIG=%ProgramData%\Platen\host.json"
:run
"%~dp0node.exe" "%~dp0node_modules\@platen\server\bin\platen.cjs" %*
set "PLATEN_CODE=%errorlevel%"
rem The service's account reads the key of a new certificate.
if /i "%~1 %~2"=="cert install" "%~dp0node_modules\@platen\server-win32-x64\bin\platen-service.exe" secure
exit /b %PLATEN_CODE%
