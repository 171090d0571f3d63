"""What the program does with the machine it runs on: processes, files, mails, addresses, hashes."""
