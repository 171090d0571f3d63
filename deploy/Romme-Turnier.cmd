@echo off
rem Sets the program up at the first start, with internet, and starts it in its small window.
rem Lies in one folder with uv.exe and the wheel, as scripts/windows.py packs them. Only ASCII.
setlocal
title Romme-Turnier
set "PROGRAM=%LOCALAPPDATA%\romme-turnier-programm"
set "UV_TOOL_DIR=%PROGRAM%\tools"
set "UV_TOOL_BIN_DIR=%PROGRAM%\bin"
set "UV_PYTHON_INSTALL_DIR=%PROGRAM%\python"
set "UV_CACHE_DIR=%PROGRAM%\cache"
set "WHEEL="
for %%F in ("%~dp0romme_turnier-*.whl") do set "WHEEL=%%~fF" & set "MARK=%PROGRAM%\%%~nF.ok"
if not defined WHEEL goto unpack
if not exist "%~dp0uv.exe" goto unpack
if exist "%MARK%" goto start
echo Das Programm wird eingerichtet; das braucht Internet und einige Minuten.
echo Setting up; this takes some minutes and the internet.
"%~dp0uv.exe" tool install --force --managed-python --python 3.13 "%WHEEL%" || goto failed
type nul >"%MARK%"
:start
start "" "%UV_TOOL_BIN_DIR%\romme-turnier-window.exe"
exit /b 0
:unpack
echo Bitte erst alles aus der ZIP-Datei extrahieren und diese Datei dann im neuen Ordner starten.
echo Please extract the whole ZIP file first, and start this file in the new folder.
pause
exit /b 1
:failed
echo Das ging nicht. Ist das Internet da? Ist das kleine Fenster des Programms zu?
echo This did not work. Is there internet? Is the program's small window closed?
pause
exit /b 1
