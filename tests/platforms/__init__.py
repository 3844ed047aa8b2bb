"""What stands in for systems that are not here: kernel32 with its rules of jobs, cmd.exe, a Mac."""
