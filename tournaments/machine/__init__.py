"""Access to the machine: processes, files, mails, addresses, hashes."""
