"""Serves a league as a web page: `salvo serve`.

One process answers requests; three others, its workers, check what is submitted, play, and rate::

    web      pages, the JSON API, uploads into a queue     salvo.server.web.app
    check    opens uploads, checks them in the sandbox     salvo.server.work.checkers
    play     plays what the record lacks                   salvo.server.work.league_play
    rate     rates the record when games were added        salvo.server.work.rating

They meet in the league's folder: in the record, in the league's own files, and in
``serve/book.sqlite3`` (`salvo.server.database`), which has what only a server needs. Any may
be killed at any moment and started again.
"""
