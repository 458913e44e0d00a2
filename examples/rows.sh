#!/usr/bin/env bash
# A bot in bash: one ship per row, random shots.
#
# A bot starts no processes unless it asks to, so this one uses only what is built into bash:
# no $(...), no pipes, no other programs.

while IFS= read -r line; do
    # Reports have types too, others than these.
    [[ $line =~ \"type\":\ *\"(hello|game|place|shoot|fault|bye)\" ]] || continue
    type=${BASH_REMATCH[1]}
    [[ $line =~ \"id\":\ *\"([^\"]*)\" ]] && id=${BASH_REMATCH[1]}
    case $type in
    hello)
        printf '{"type":"hello","protocol":1,"name":"Rows"}\n'
        ;;
    game)
        [[ $line =~ \"rows\":\ *([0-9]+) ]] && rows=${BASH_REMATCH[1]}
        [[ $line =~ \"columns\":\ *([0-9]+) ]] && columns=${BASH_REMATCH[1]}
        [[ $line =~ \"fleet\":\ *\[([^]]*)\] ]] && fleet=${BASH_REMATCH[1]}
        # The arena's seed decides what is drawn.
        [[ $line =~ \"seed\":\ *([0-9]+) ]] && RANDOM=${BASH_REMATCH[1]}
        untried=()
        for ((cell = 0; cell < rows * columns; cell++)); do untried+=("$cell"); done
        ;;
    place)
        ships=''
        rest=$fleet
        for ((row = 0; ; row++)); do
            [[ $rest =~ \{([^}]*)\}(.*) ]] || break
            ship=${BASH_REMATCH[1]} rest=${BASH_REMATCH[2]}
            [[ $ship =~ \"name\":\ *(\"[^\"]*\") ]] && name=${BASH_REMATCH[1]}
            [[ $ship =~ \"length\":\ *([0-9]+) ]] && length=${BASH_REMATCH[1]}
            cells=''
            for ((n = 0; n < length; n++)); do cells+=,$((row * columns + n)); done
            ships+=,$name:[${cells:1}]
        done
        printf '{"type":"layout","id":"%s","ships":{%s}}\n' "$id" "${ships:1}"
        ;;
    shoot)
        [[ $line =~ \"shots\":\ *([0-9]+) ]] && shots=${BASH_REMATCH[1]}
        cells=''
        for ((n = 0; n < shots; n++)); do
            left=${#untried[@]}
            drawn=$((RANDOM % left))
            cells+=,${untried[drawn]}
            untried[drawn]=${untried[left - 1]}
            unset "untried[left - 1]"
        done
        printf '{"type":"shots","id":"%s","cells":[%s]}\n' "$id" "${cells:1}"
        ;;
    bye)
        exit 0
        ;;
    fault)
        printf 'stopped: %s\n' "$line" >&2
        ;;
    esac
done
