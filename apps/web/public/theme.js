// Sets the colour scheme before the first paint, so that nothing flashes. A file of its own: the page's policy allows no inline script.
(() => {
  const chosen = localStorage.getItem('mantine-color-scheme-value');
  const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  document.documentElement.dataset.mantineColorScheme = chosen === 'light' || chosen === 'dark' ? chosen : system;
})();
