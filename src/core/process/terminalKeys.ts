/** The key that interrupts the program in a terminal's foreground. */
export const CTRL_C = Uint8Array.of(3);
/** The key that ends the input in a terminal. */
export const CTRL_D = Uint8Array.of(4);
