// Says hello and does nothing.
begin();
