/** Makes the first letter of a text a capital. */
export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
