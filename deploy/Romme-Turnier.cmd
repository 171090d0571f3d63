@echo off
rem Starts the program beside this file in a separate window. Arguments are passed on to
rem romme-turnier (backup, restore, --help). Keep this file ASCII.
setlocal
set "PYTHON=%~dp0programm\python.exe"
set "CALLED_BY=Romme-Turnier.cmd"
if not exist "%PYTHON%" goto unpack
if not "%~1"=="" goto words
start "Romme-Turnier" "%PYTHON%" -X utf8 -m romme_site open
exit /b 0
:words
"%PYTHON%" -X utf8 -m romme_site %*
exit /b %ERRORLEVEL%
:unpack
echo Bitte erst alles aus der ZIP-Datei extrahieren und diese Datei dann im neuen Ordner starten.
echo Please extract the whole ZIP file first, and start this file in the new folder.
pause
exit /b 1
