#!/usr/bin/env bash
for percent in $(seq 0 2 100); do
  bar=$(printf '%*s' $((percent / 2)) '' | tr ' ' '#')
  printf '\r\e[32m[%-50s]\e[0m %3d %%' "$bar" "$percent"
  sleep 0.05
done
printf '\nBuilt.\n'
