/** Translates a message with `{0}` places into the language of the user. `vscode.l10n` implements it. */
export interface Localizer {
  t(message: string, ...args: (string | number)[]): string;
}

/** The messages in English, as the code has them. */
export const english: Localizer = {
  t: (message, ...args) =>
    message.replace(/\{(\d+)\}/g, (place, index: string) => String(args[Number(index)] ?? place)),
};
