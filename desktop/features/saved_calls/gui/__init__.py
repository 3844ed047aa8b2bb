"""The tab of saved calls on the page Activity, and its dialogs."""
