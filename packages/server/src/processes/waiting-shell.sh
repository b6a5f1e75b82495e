#!/bin/sh
# Waits until it is told which program to become, then becomes it. One instruction per line; nothing in them is
# evaluated. It exits when its input closes before that, which happens however the server dies.
while IFS= read -r liminal_line; do
  case $liminal_line in
    'set '*) export "${liminal_line#set }" ;;
    'unset '*) unset "${liminal_line#unset }" ;;
    'cd '*) cd -- "${liminal_line#cd }" || exit 127 ;;
    'word '*) set -- "$@" "${liminal_line#word }" ;;
    exec) exec "$@" ;;
  esac
done
