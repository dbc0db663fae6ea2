#!/usr/bin/env bash
# The 256 colours, the attributes, and characters of more than one byte or column.
for colour in $(seq 0 255); do
  printf '\e[48;5;%dm  ' "$colour"
  (((colour + 1) % 32 == 0)) && printf '\e[0m\n'
done
for step in $(seq 0 63); do
  printf '\e[38;2;%d;%d;180m█' $((step * 4)) $((255 - step * 4))
done
printf '\e[0m\n\n'
printf '\e[1mbold\e[0m  \e[3mitalic\e[0m  \e[4munderlined\e[0m  \e[7mreversed\e[0m  \e[9mstruck\e[0m\n'
printf 'wide: 漢字 かな 한글   emoji: 🚀 👩‍💻   combined: é ñ   lines: ┌─┬─┐\n'
