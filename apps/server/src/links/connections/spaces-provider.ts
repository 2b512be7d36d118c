/** The provider of links that lead to a Space. */
export const spacesProvider = 'Spaces';
