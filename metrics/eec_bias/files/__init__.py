"""The one room that owns and writes files: whole or not at all, and never in the place of what is somebody else's.

A file that exists is replaced only where ``overwrite`` says so (`single`). A folder that is written as a whole holds a
register of its files (`register`: SHA-256 and name). It is ours while it holds nothing but what its register lists,
unchanged, and is then replaced as a whole (`whole`), under a lock that the operating system keeps (`lock`). A name that
is a link is never followed, what is read-only stays, and modes are kept (`places`).

What is written lies in a work folder with a random name beside its place until it is whole and on disk (`work`). What a
run that was killed has left there is undone by the next run that writes to the same place: it knows the work folder by
the text in it, and that nobody works there by the lock, not by a name or the number of a process.
"""

from eec_bias.files.places import as_file_error, own_place
from eec_bias.files.register import OVERWRITE, REGISTER, not_ours, registered
from eec_bias.files.single import check, replacing, write, write_all, write_over
from eec_bias.files.whole import check_folder, start_folder, write_folder

__all__ = [
    "OVERWRITE",
    "REGISTER",
    "as_file_error",
    "check",
    "check_folder",
    "not_ours",
    "own_place",
    "registered",
    "replacing",
    "start_folder",
    "write",
    "write_all",
    "write_folder",
    "write_over",
]
