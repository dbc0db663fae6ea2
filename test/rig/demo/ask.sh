#!/usr/bin/env bash
read -r -p 'What is your name? ' name
read -r -s -p 'A secret, not shown: ' secret
printf '\nHello %s. Your secret has %d characters.\n' "${name:-stranger}" "${#secret}"
