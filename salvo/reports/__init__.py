"""What turns the record into tables, words and pages: it returns, and never prints."""
