/** Includes U+2800, the empty braille pattern: Unicode classifies it as visible, but it shows nothing. */
const visible = /[^\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\u2800]/u;

/** Whether a name shows nothing on screen: empty, or only blanks, invisible and control characters. Users cannot give blank names. */
export const isBlank = (name: string): boolean => !visible.test(name);
