#!/bin/sh
# Outlives the server for a moment. Waits until its input closes, which happens however the server dies, then ends the
# process groups it was told of and every process that carries one of the server's marks: NAME=value in its environment,
# or DIGITS at the beginning of a limit. Usage: guardian.sh NAME=value DIGITS
mark=$1
digits=$2
groups=' '
trap '' HUP INT TERM

while read -r word group; do
  case $word in
    add) groups="$groups$group " ;;
    drop) case $groups in *" $group "*) groups="${groups%% "$group" *} ${groups#* "$group" }" ;; esac ;;
    bye) exit 0 ;;
  esac
done

marked() {
  [ -d /proc/self ] || return 0
  grep -lF -e "$mark" /proc/[0-9]*/environ 2>/dev/null | cut -d/ -f3
  grep -lE -e "^Max realtime timeout +$digits[0-9]{6} " /proc/[0-9]*/limits 2>/dev/null | cut -d/ -f3
}

end() {
  for group in $groups; do kill -s "$1" -- "-$group" 2>/dev/null; done
  for pid in $(marked); do kill -s "$1" "$pid" 2>/dev/null; done
}

end TERM
sleep 0.7
# More than one round: a process may fork between being seen and being killed.
for round in 1 2 3 4; do
  end KILL
  sleep 0.2
done
