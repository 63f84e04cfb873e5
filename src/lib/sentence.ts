/** A message as a sentence: capitalized, unless it starts with a name, and with a full stop. */
export const asSentence = (message: string): string => {
  const begun = /^[a-z]{1,20}[ ,':]/.test(message)
    ? `${message[0]?.toUpperCase()}${message.slice(1)}`
    : message;
  return /[.!?:]$/.test(begun) ? begun : `${begun}.`;
};
