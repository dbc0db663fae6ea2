"""A menu of curses: the terminal's cursor keys are in application mode, as keypad() puts them."""

import curses


def ask(screen):
    curses.noecho()
    screen.keypad(True)
    name = ''
    screen.addstr(0, 0, 'Name?')
    while (key := screen.getch()) not in (10, 13):
        name += chr(key)
        screen.addstr(0, 6, name)
    choices = ['alpha', 'beta', 'gamma']
    at = 0
    screen.addstr(1, 0, 'Colour?')
    while True:
        for row, choice in enumerate(choices):
            screen.addstr(2 + row, 0, ('> ' if row == at else '  ') + choice)
        key = screen.getch()
        if key == curses.KEY_DOWN:
            at = min(at + 1, 2)
        elif key == curses.KEY_UP:
            at = max(at - 1, 0)
        elif key in (10, 13):
            return name, choices[at]


name, colour = curses.wrapper(ask)
print(f'chosen: {name}, {colour}')
