"""Where the program is, and why it cannot be started."""

import errno
import os
import platform
import shutil
import subprocess
import sysconfig


class ProgramMissing(RuntimeError):
    """The program is not installed, or does not run on this machine."""


def program():
    """The path of the program: $REHEARSE_PROGRAM, the one of the wheel, or the one in $PATH."""
    given = os.environ.get("REHEARSE_PROGRAM")
    if given:
        return given
    schemes = [None, sysconfig.get_preferred_scheme("user")] if hasattr(
        sysconfig, "get_preferred_scheme"
    ) else [None]
    for scheme in schemes:
        folder = sysconfig.get_path("scripts", scheme) if scheme else sysconfig.get_path("scripts")
        path = os.path.join(folder, "rehearse")
        if os.path.isfile(path):
            return path
    found = shutil.which("rehearse")
    if found:
        return found
    raise ProgramMissing(
        "there is no program `rehearse` beside this Python or in $PATH\n"
        "  = help  `pip install` its wheel, or set REHEARSE_PROGRAM to its path"
    )


def start(arguments, **options):
    """Starts the program; raises ProgramMissing with the reason if this machine cannot."""
    path = program()
    try:
        return subprocess.Popen([path, *arguments], **options)
    except OSError as error:
        raise ProgramMissing(_reason(path, error)) from error


def _reason(path, error):
    machine = f"{platform.system()} {platform.machine()}"
    if error.errno == errno.ENOEXEC:
        why = f"it is no program for this machine, which is {machine}"
        help = "the wheel has the program for Linux x86-64; run the tests in a container there"
    elif error.errno == errno.ENOENT and os.path.exists(path):
        why = "the loader that it names is not there, so this system has no glibc"
        help = "use a system with glibc, such as Debian; musl (Alpine) is none"
    elif error.errno == errno.ENOENT:
        why, help = "there is no such file", "correct REHEARSE_PROGRAM"
    elif error.errno == errno.EACCES:
        why, help = "it may not be executed", f"chmod +x {path}"
    else:
        why, help = error.strerror, "see above"
    return f"`{path}` cannot be started: {why}\n  = help  {help}"


def surroundings():
    """The environment of the program: the test runner reports, not the program."""
    left_out = ("GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY")
    return {name: value for name, value in os.environ.items() if name not in left_out}
