"""Places one ship twice."""

from honest import play

play(
    place=lambda m: (
        b'{"type":"layout","id":"%s","ships":{"Cruiser":[0,1,2],"Boat":[10,11],'
        b'"Boat":[20,21]}}\n' % m["id"].encode()
    ),
)
