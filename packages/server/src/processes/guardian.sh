#!/bin/sh
# Outlives the server for a moment. Waits until its input closes, which happens however the server dies. Then ends the
# process groups it was given and every process that carries one of the server's marks: NAME=value in its environment,
# or DIGITS at the beginning of a limit. Usage: guardian.sh NAME=value DIGITS [PROC]
mark=$1
digits=$2
proc=${3:-/proc}
groups=' '
trap '' HUP INT TERM

while read -r word group; do
  case $word in
    add) groups="$groups$group " ;;
    drop) case $groups in *" $group "*) groups="${groups%% "$group" *} ${groups#* "$group" }" ;; esac ;;
    bye) exit 0 ;;
  esac
done

if [ -d "$proc/self" ]; then
  marked() {
    grep -lF -e "$mark" "$proc"/[0-9]*/environ 2>/dev/null | sed 's|/environ$||; s|.*/||'
    grep -lE -e "^Max realtime timeout +$digits[0-9]{6} " "$proc"/[0-9]*/limits 2>/dev/null | sed 's|/limits$||; s|.*/||'
  }
else
  # macOS and the BSDs hide the environment of some programs. Those are found by their parents, so every process found
  # once is remembered. This shell has the mark among its arguments and must not end itself.
  case $(uname) in Darwin) environment=-E ;; *) environment=-e ;; esac
  known=
  marked() {
    ps -A "$environment" -ww -o pid=,ppid=,pgid=,stat=,command= 2>/dev/null |
      awk -v mark="$mark" -v groups="$groups" -v known="$known" -v self="$$" '
        BEGIN {
          for (n = split(groups, list, " "); n > 0; n--) group[list[n]] = 1
          for (n = split(known, list, " "); n > 0; n--) found[list[n]] = 1
        }
        {
          parent[$1] = $2
          if ($3 in group || index(" " $0 " ", " " mark " ")) found[$1] = 1
        }
        END {
          do {
            more = 0
            for (pid in parent) if (!(pid in found) && parent[pid] in found) { found[pid] = 1; more = 1 }
          } while (more)
          for (pid in parent) if (pid in found && pid != self && parent[pid] != self) print pid
        }'
  }
fi

end() {
  known=$(marked)
  for group in $groups; do kill -s "$1" -- "-$group" 2>/dev/null; done
  for pid in $known; do kill -s "$1" "$pid" 2>/dev/null; done
}

end TERM
sleep 0.7
# More than one round: a process may fork between being seen and being killed.
for round in 1 2 3 4; do
  end KILL
  sleep 0.2
done
