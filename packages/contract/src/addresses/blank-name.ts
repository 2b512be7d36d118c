/** U+2800 is the empty braille pattern: a character of its own that shows nothing. */
const visible = /[^\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\u2800]/u;

/** Whether a name shows nothing on screen: it is empty, or has only blanks, invisible and control characters. No name that users give may be blank. */
export const isBlank = (name: string): boolean => !visible.test(name);
